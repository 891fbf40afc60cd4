import type { Day } from "../../values/day.ts";
import { Failure } from "../../values/failure.ts";

const placeholder = /\{(account|month|date)\}/g;

/** The name of a file with `{account}`, and `{month}` and `{date}` of the period's end, filled in. */
export function fillFileName(name: string, accountNo: string, endDate: Day): string {
  const date = endDate.toString();
  const values = new Map([
    ["account", asFileName(accountNo)],
    ["month", date.slice(0, 7)],
    ["date", date],
  ]);
  return name.replaceAll(placeholder, (_whole, word: string) => values.get(word) ?? "");
}

/** A number that the service made up must not lead into another folder. */
function asFileName(accountNo: string): string {
  return encodeURIComponent(accountNo.toWellFormed()).replace(/^\./, "%2E").replaceAll("*", "%2A");
}

/**
 * Several accounts cannot share a file.
 * @throws {Failure} usage
 */
export function checkNameForAll(name: string | undefined): string {
  if (name?.includes("{account}") === true) return name;
  throw new Failure("usage", "--all writes one file for each wallet, and needs a name for them.", {
    hint: "Add --save with {account} in it, for example --save 'wallet-{account}-{month}.csv'.",
  });
}
