import type { Report } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import { failureOf, forEachProfile } from "../profiles/all-profiles.ts";
import type { Session } from "../session.ts";
import type { Found } from "./find.ts";
import { findPayments } from "./find.ts";
import type { Shown } from "./find-report.ts";
import { findReport } from "./find-report.ts";

export interface FindFlags {
  readonly offline: boolean;
  readonly allProfiles: boolean;
}

/**
 * Finds payments of one profile's account, or of all.
 * @throws {Failure} refused where nothing is found | setup | unavailable
 */
export async function runFind(session: Session, what: string, flags: FindFlags): Promise<Report> {
  const { founds, failure } = flags.allProfiles
    ? await inAll(session, what, flags.offline)
    : await inOne(session, what, flags.offline);
  const payments = founds.flatMap(({ found, profile }) =>
    found.payments.map((payment): Shown => ({ ...payment, profile })),
  );
  const places = [...new Set(founds.flatMap(({ found }) => found.places))];
  if (payments.length === 0) throw failure ?? nothingFound(what, places);
  const isCut = founds.some(({ found }) => found.isCut);
  const notes = isCut ? ["There is more of it than is shown; look for something that fewer payments have."] : [];
  return findReport(payments, session, { notes, carried: failure });
}

interface Founds {
  readonly founds: readonly { readonly profile?: string | undefined; readonly found: Found }[];
  readonly failure: Failure | undefined;
}

async function inOne(session: Session, what: string, offline: boolean): Promise<Founds> {
  const found = await findPayments(session, what, offline);
  return { founds: [{ found }], failure: found.unsynced };
}

async function inAll(session: Session, what: string, offline: boolean): Promise<Founds> {
  const { done, failed } = await forEachProfile(session, (own) => findPayments(own, what, offline));
  const unsynced = done.flatMap(({ profile, value }) =>
    value.unsynced === undefined ? [] : ([[profile, value.unsynced]] as const),
  );
  return {
    founds: done.map(({ profile, value }) => ({ profile, found: value })),
    failure: failureOf(new Map([...failed, ...unsynced]), done.length + failed.size),
  };
}

function nothingFound(what: string, places: readonly string[]): Failure {
  const all = places.length < 2 ? places.join("") : `${places.slice(0, -1).join(", ")} and ${places.at(-1)}`;
  return new Failure("refused", `Nothing was found for ${quote(what)} in ${all}.`, {
    hint: "Look for another spelling, or for the reference in the statement.",
  });
}
