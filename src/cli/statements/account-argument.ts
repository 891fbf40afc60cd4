import { parseAccountNumber } from "../../values/account-number.ts";
import { positional } from "../input.ts";

export function accountArgument(summary: string) {
  return positional({ summary, read: parseAccountNumber });
}
