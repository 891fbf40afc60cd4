import { Failure } from "../../values/failure.ts";
import { profileField } from "../../values/field.ts";
import type { RowsReport } from "../../report/report.ts";
import { forEachProfile, withProfile } from "../profiles/all-profiles.ts";
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
  const { done, failure } = await forEachProfile(session, async (own) => ({
    report: await closeMonth(own, { ...flags, to: `${folder}-${own.profileFlag ?? ""}` }),
    scope: await own.accountScope(),
  }));
  const said = done.map(({ profile, value }) => ({ profile, ...value.report.findings() }));
  const sharing = sharedFigureLines(new Map(done.map(({ profile, value }) => [profile, value.scope])));
  const open = said.flatMap(({ profile, carried }) => (carried === undefined ? [] : [{ profile, carried }]));
  const [first] = open;
  const unproved =
    first === undefined
      ? undefined
      : new Failure("mismatch", open.map(({ profile, carried }) => `${profile}: ${carried.message}`).join(" "), {
          hint: first.carried.hint,
        });
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
      carried: failure ?? unproved,
    }),
  };
}
