import { parseAccountNumber } from "../../values/account-number.ts";
import { positional } from "../../cli/line/input.ts";

/** The account that a command is about. */
export function accountArgument(summary: string) {
  return positional({ summary, read: parseAccountNumber });
}
