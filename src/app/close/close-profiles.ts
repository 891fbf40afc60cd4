import { Failure } from "../../values/failure.ts";
import { profileField } from "../../values/field.ts";
import type { RowsReport } from "../../report/report.ts";
import { forEachProfile, withProfile } from "../profiles/all-profiles.ts";
import type { Session } from "../session.ts";
import { closeMonth, monthAsked } from "./close.ts";
import type { CloseFlags } from "./close-flags.ts";

/**
 * Closes the month of every profile, each into a folder of its own: `close-2026-10-shop`.
 * @throws {Failure} usage | the failure of all profiles
 */
export async function closeProfiles(session: Session, flags: CloseFlags): Promise<RowsReport> {
  const folder = flags.to ?? `close-${monthAsked(flags, session).name}`;
  const { done, failure } = await forEachProfile(session, (own) =>
    closeMonth(own, { ...flags, to: `${folder}-${own.profileFlag ?? ""}` }),
  );
  const said = done.map(({ profile, value }) => ({ profile, ...value.findings() }));
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
    columns: [profileField, ...(done[0]?.value.columns ?? [])],
    rows: done.flatMap(({ profile, value }) => withProfile(profile, value.rows)),
    whenEmpty: "No profile has an account.",
    findings: () => ({
      notes: said.flatMap(({ profile, notes }) => notes.map((note) => `${profile}: ${note}`)),
      carried: failure ?? unproved,
    }),
  };
}
