import { textIn } from "../../statements/entry.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonObject } from "../../values/json.ts";

/** An account, and the currency of its rows in the ledger; empty where it is not known. */
interface HeldIn {
  readonly accountNo: string;
  readonly currency: string;
}

/** What to do about an account with a contradicted currency. */
export const otherCurrencyHint =
  "Ask the service which of them is right; until it says the same again, no balance proves these rows. If the ledger is wrong, move it away and read it again: partner ledger sync --start-date DAY";

/** The currency that a balance names, a wallet's or a merchant account's; empty where it names none. */
export function currencyIn(balance: JsonObject): string {
  return textIn(balance, "currencyCode") || textIn(balance, "currency");
}

/** What contradicts the ledger's currency of an account, in words; undefined where nothing does. */
export function otherCurrency({ accountNo, currency }: HeldIn, said: string): string | undefined {
  if (currency === "" || said === "" || said.toUpperCase() === currency.toUpperCase()) return undefined;
  return `The service names ${said} as the currency of ${accountNo}, but the ledger has its rows in ${currency}.`;
}

/** @throws {Failure} unavailable where the service names another currency than the ledger */
export function refuseOtherCurrency(held: HeldIn, said: string): void {
  const words = otherCurrency(held, said);
  if (words !== undefined) throw new Failure("unavailable", words, { hint: otherCurrencyHint });
}
