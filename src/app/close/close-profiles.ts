import { Failure } from "../../values/failure.ts";
import { profileField } from "../../values/field.ts";
import type { Findings, RowsReport } from "../../report/report.ts";
import { forEachProfile, profilesFailure, withProfile } from "../profiles/all-profiles.ts";
import { sharedFigureLines } from "../profiles/shared-accounts.ts";
import type { Session } from "../session.ts";
import { closeMonth } from "./close.ts";
import type { CloseFlags } from "./close-flags.ts";
import { monthAsked } from "./month.ts";

/**
 * Closes the month of every profile, each into a folder of its own: `close-2026-10-shop`.
 * @throws {Failure} usage | the failure of all profiles
 */
export async function closeProfiles(session: Session, flags: CloseFlags): Promise<RowsReport> {
  const folder = flags.to ?? `close-${monthAsked(flags, session).name}`;
  const said: (Findings & { readonly profile: string })[] = [];
  const { done, failed } = await forEachProfile(session, async (own) => {
    const [profile, scope] = [own.profileFlag ?? "", await own.accountScope()];
    const report = await closeMonth(own, { ...flags, to: `${folder}-${profile}` });
    said.push({ profile, ...report.findings() });
    return { report, scope };
  }).catch(async (error: unknown) => {
    // The next close of these months does not say it again.
    for (const { profile, notes, carried } of said)
      for (const line of [...notes, ...(carried === undefined ? [] : [carried.message])])
        await session.note(`${profile}: ${line}`);
    throw error;
  });
  const sharing = sharedFigureLines(new Map(done.map(({ profile, value }) => [profile, value.scope])));
  const open = said.flatMap(({ profile, carried }) => (carried === undefined ? [] : ([[profile, carried]] as const)));
  return {
    shape: "rows",
    columns: [profileField, ...(done[0]?.value.report.columns ?? [])],
    rows: done.flatMap(({ profile, value }) => withProfile(profile, value.report.rows)),
    whenEmpty: "No profile has an account.",
    findings: () => ({
      notes: [
        ...said.flatMap(({ profile, notes }) => notes.map((note) => `${profile}: ${note}`)),
        ...sharing.map((line) => `${line}.`),
      ],
      carried:
        failed.size === 0 ? unproved(open) : profilesFailure(new Map([...failed, ...open]), done.length + failed.size),
    }),
  };
}

function unproved(open: readonly (readonly [profile: string, Failure])[]): Failure | undefined {
  const [first] = open;
  if (first === undefined) return undefined;
  const [, { hint }] = first;
  return new Failure("mismatch", open.map(([profile, { message }]) => `${profile}: ${message}`).join(" "), { hint });
}
