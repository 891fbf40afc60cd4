import { Failure } from "../../values/failure.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { toggle } from "../../cli/line/input.ts";

/** Flags of `journal migrate` that divide rights between people. */
export const rolesFlags = {
  roles: toggle({
    summary: "Also make the roles of makers, checkers, runners and auditors, and give each its rights.",
    group: "four eyes",
  }),
  requireApproval: toggle({
    summary: "From now on, only rows of approved batches are taken as orders.",
    group: "four eyes",
  }),
  waiveApproval: toggle({ summary: "Take orders without approval again.", group: "four eyes" }),
} as const;

/**
 * Undefined where no flag asks for roles.
 * @throws {Failure} usage
 */
export function rolesOptions({
  roles,
  requireApproval,
  waiveApproval,
}: FlagValues<typeof rolesFlags>): { readonly requiresApproval: boolean | undefined } | undefined {
  if (requireApproval && waiveApproval)
    throw new Failure("usage", "--require-approval and --waive-approval are opposites.", { hint: "Keep one of them." });
  if (roles) return { requiresApproval: requireApproval ? true : waiveApproval ? false : undefined };
  if (!requireApproval && !waiveApproval) return undefined;
  const flag = requireApproval ? "--require-approval" : "--waive-approval";
  throw new Failure("usage", `${flag} works only with --roles.`, {
    hint: `Add --roles: partner journal migrate --roles ${flag}`,
  });
}
