import type { RemittanceDraft } from "../../remittance/draft.ts";
import { leftOut, remittanceFields } from "../../remittance/fields.ts";
import type { CheckFlags } from "../money/checks/check-flags.ts";
import type { FlagWord } from "../money/same-line.ts";
import { checkWords, sameLine, waitingWords } from "../money/same-line.ts";
import type { WaitFlags } from "../money/waits/wait-flags.ts";
import { flagOf } from "./flags.ts";

/** Parts of a command line other than the fields of the remittance. */
export interface LineParts extends Partial<WaitFlags>, Pick<CheckFlags, "again"> {
  readonly profile: string | undefined;
  readonly fromFile: string | undefined;
  readonly senderFrom: string | undefined;
  /** Values that need no flag. */
  readonly unsaid: RemittanceDraft;
}

/**
 * The command line for this remittance, complete without a question. It has the reference, so running it again moves
 * nothing a second time. Personal data is left for a person to fill in, since command lines are kept in many places.
 */
export function remittanceLine(draft: RemittanceDraft, parts: LineParts): string {
  const { profile, fromFile, senderFrom, wait = false, callbackUrl, again, unsaid } = parts;
  const named = { "--profile": profile, "--from-file": fromFile, "--sender-from": senderFrom };
  const others = Object.entries(named).flatMap(([flag, value]): FlagWord[] =>
    value === undefined ? [] : [[flag, value]],
  );
  const fields = remittanceFields.flatMap(({ path, personal }): FlagWord[] => {
    // With --wait the callback's address is made when the order is sent.
    const text = path === "callbackUrl" && wait ? callbackUrl : draft.get(path);
    if (text === undefined || text === unsaid.get(path)) return [];
    return [[flagOf(path), personal === true ? leftOut : text]];
  });
  const waiting = waitingWords({ ...parts, callbackUrl: undefined });
  return sameLine("remit", [...others, ...fields, ...waiting, ...checkWords({ again })]);
}
