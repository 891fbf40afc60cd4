import { visible } from "../values/text/text.ts";
import { wallTime } from "../values/time/wall-time.ts";
import type { LedgerAccount } from "./ledger.ts";

/**
 * `the account is closed. The ledger holds it to 2026-10-06, and later rows cannot be read. asha accepted this on …`
 * @param endDay `YYYY-MM-DD`: the last day that is of interest; default: every day
 * @returns undefined where no closure was accepted, or every row up to that day was read
 */
export function closureWords(
  { closure, lastDay }: Pick<LedgerAccount, "closure" | "lastDay">,
  endDay?: string,
): string | undefined {
  if (closure === null || (endDay !== undefined && lastDay !== null && endDay < lastDay)) return undefined;
  const { evidence, by, at } = closure;
  const held = lastDay === null ? "no whole day of it" : `it to ${lastDay}`;
  return `the account is closed. The ledger holds ${held}, and later rows cannot be read. ${visible(by)} accepted this on ${wallTime(at)}: ${visible(evidence).replace(/\.$/, "")}`;
}
