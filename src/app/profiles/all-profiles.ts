import { listProfiles } from "../../profiles/describe.ts";
import type { Ending } from "../../values/failure.ts";
import { noProfileYet } from "../../profiles/chosen-profile.ts";
import { Failure } from "../../values/failure.ts";
import type { Session } from "../session.ts";

/** Endings that stop the work on one profile but not on the others; the gravest first. */
const gravestFirst = ["setup", "unavailable", "usage", "refused", "mismatch"] as const satisfies readonly Ending[];

/** The results of the same action for every profile. */
export interface OfProfiles<T> {
  readonly done: readonly { readonly profile: string; readonly value: T }[];
  readonly failed: ReadonlyMap<string, Failure>;
  /** The gravest failure, naming every profile that failed; undefined where none did. */
  readonly failure: Failure | undefined;
}

/**
 * Does the same for every profile, in the order of their names. A failure is kept for the end while the others run;
 * where all fail, it is thrown.
 * @throws {Failure} usage where --profile names one as well | setup where there is none | interrupted | the failure of
 * all
 */
export async function forEachProfile<T>(
  session: Session,
  act: (session: Session) => Promise<T>,
): Promise<OfProfiles<T>> {
  if (session.profileFlag !== undefined)
    throw new Failure("usage", "--all-profiles means every profile, but --profile names one.", {
      hint: "Leave one of them out.",
    });
  const profiles = await listProfiles(session.host);
  if (profiles.length === 0)
    throw new Failure("setup", noProfileYet(session.host), { hint: "Make one: partner profile add NAME" });
  const done: { profile: string; value: T }[] = [];
  const failed = new Map<string, Failure>();
  for (const { name: profile } of profiles) {
    const own = session.forProfile(profile);
    try {
      done.push({ profile, value: await act(own) });
    } catch (error) {
      if (!(error instanceof Failure) || !gravestFirst.some((ending) => ending === error.ending)) throw error;
      failed.set(profile, error);
    } finally {
      await own.close();
    }
  }
  const failure = profilesFailure(failed, profiles.length);
  if (failure !== undefined && done.length === 0) throw failure;
  return { done, failed, failure };
}

/** The rows, each with its profile first. */
export function withProfile<R extends object>(
  profile: string,
  rows: readonly R[],
): (R & { readonly profile: string })[] {
  return rows.map((row) => ({ profile, ...row }));
}

/** The gravest of these failures by profile, naming every one; undefined without any. */
export function profilesFailure(failed: ReadonlyMap<string, Failure>, count: number): Failure | undefined {
  const gravest = gravestFirst.find((ending) => [...failed.values()].some((failure) => failure.ending === ending));
  const [profile, worst] = [...failed].find(([, failure]) => failure.ending === gravest) ?? [];
  if (worst === undefined) return undefined;
  const { ending, message, hint, requestId, http, reason } = worst;
  const others = [...failed.keys()].filter((name) => name !== profile);
  const also = others.length === 0 ? "" : ` Also: ${others.join(", ")}.`;
  return new Failure(ending, `${failed.size} of ${count} profiles failed. ${profile}: ${message}${also}`, {
    hint,
    requestId,
    http,
    reason,
    details: Object.fromEntries([...failed].map(([name, failure]) => [name, failure.message])),
    cause: worst,
  });
}
