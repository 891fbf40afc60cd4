import type { Report } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import { counted } from "../../values/text/counted.ts";
import { inSentence } from "../../values/text/in-sentence.ts";
import { quote } from "../../values/text/text.ts";
import { Day } from "../../values/time/day.ts";
import { forEarlierDays } from "../ledger/sync.ts";
import { profilesFailure, forEachProfile } from "../profiles/all-profiles.ts";
import { onceForEachAccount } from "../profiles/shared-accounts.ts";
import type { Session } from "../session.ts";
import type { SearchResult } from "./find.ts";
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
  if (payments.length === 0) throw failure ?? nothingFound(what, founds, flags.allProfiles);
  const isCut = founds.some(({ found }) => found.isCut);
  const cut = isCut ? ["There are more results than are shown; search for something that fewer payments have."] : [];
  return findReport(payments, session, { notes: [...cut, ...countLines(founds)], carried: failure });
}

/** How many payments there are, since when the ledgers know every account, and which profiles have the same one. */
function countLines(founds: Founds["founds"]): readonly string[] {
  const { once, lines } = onceForEachAccount(
    founds.flatMap(({ found, profile = "", scope = "" }) =>
      found.payments.map(({ events }) => ({ profile, scope, events })),
    ),
    "payments",
    ({ events }) =>
      events.map(({ at, what, account, reference }) => `${at} ${what} ${account} ${reference}`).join("\n"),
  );
  return [`${counted(once.length, "payment")}; ${beginningIn(founds)}.`, ...lines.map((line) => `${line}.`)];
}

interface Founds {
  readonly founds: readonly {
    readonly profile?: string | undefined;
    readonly scope?: string;
    readonly found: SearchResult;
  }[];
  readonly failure: Failure | undefined;
}

async function inOne(session: Session, what: string, offline: boolean): Promise<Founds> {
  const found = await findPayments(session, what, offline);
  return { founds: [{ found }], failure: found.unsynced };
}

async function inAll(session: Session, what: string, offline: boolean): Promise<Founds> {
  const { done, failed } = await forEachProfile(session, async (own) => ({
    found: await findPayments(own, what, offline),
    scope: await own.accountScope(),
  }));
  const unsynced = done.flatMap(({ profile, value: { found } }) =>
    found.unsynced === undefined ? [] : ([[profile, found.unsynced]] as const),
  );
  return {
    founds: done.map(({ profile, value }) => ({ profile, ...value })),
    failure: profilesFailure(new Map([...failed, ...unsynced]), done.length + failed.size),
  };
}

/** Since when the ledgers know every account, as the end of a sentence. */
function beginningIn(founds: Founds["founds"]): string {
  const first = latestIn(founds);
  if (first === undefined) return "the ledger is empty";
  const empty = founds.flatMap(({ profile, found }) => (found.since === undefined ? (profile ?? []) : []));
  return `the ledger begins on ${first}${empty.length === 0 ? "" : `; that of ${inSentence(empty)} is empty`}`;
}

/** `YYYY-MM-DD`, of the ledger that begins last; undefined where all are empty. */
function latestIn(founds: Founds["founds"]): string | undefined {
  return founds
    .flatMap(({ found }) => found.since ?? [])
    .toSorted()
    .at(-1);
}

function nothingFound(what: string, founds: Founds["founds"], isOfAll: boolean): Failure {
  const places = [...new Set(founds.flatMap(({ found }) => found.places))];
  const first = Day.parse(latestIn(founds) ?? "");
  const flags = isOfAll ? " --all-profiles" : "";
  const more = first === undefined ? `to fill the ledger: partner ledger sync${flags}` : forEarlierDays(first, flags);
  return new Failure("refused", `Nothing was found for ${quote(what)} in ${inSentence(places)}.`, {
    hint: `Look for another spelling, or for the reference in the statement; ${more}`,
  });
}
