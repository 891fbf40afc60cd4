import { closest } from "../../values/text/closest.ts";
import type { Day } from "../../values/time/day.ts";
import { Failure } from "../../values/failure.ts";
import { quotePath } from "../../values/text/text.ts";

const known = ["account", "month", "date"];
/** A word in braces; doubled braces mean the braces themselves. Only words count: `{2026}` is a plain name. */
const placeholder = /\{\{([a-z _-]*)\}\}|\{([a-z _-]*)\}/gi;

/**
 * The name of a file with `{account}`, and `{month}` and `{date}` of the period's end, filled in.
 * @throws {Failure} usage: another word in braces
 */
export function fillFileName(name: string, accountNo: string, endDate: Day): string {
  checkPlaceholders(name);
  const date = endDate.toString();
  const values = new Map([
    ["account", asFileName(accountNo)],
    ["month", date.slice(0, 7)],
    ["date", date],
  ]);
  return name.replaceAll(placeholder, (_whole, itself: string | undefined, word: string) =>
    itself === undefined ? (values.get(word) ?? "") : `{${itself}}`,
  );
}

/** True where each month gets a file of its own. */
export function namesMonths(name: string): boolean {
  return wordsIn(name).includes("month");
}

/** A number from the service as a name of its own, which cannot lead into another folder. */
export function asFileName(accountNo: string): string {
  return encodeURIComponent(accountNo.toWellFormed()).replace(/^\./, "%2E").replaceAll("*", "%2A");
}

/**
 * Refuses a name that several accounts would share.
 * @throws {Failure} usage
 */
export function checkNameForAll(name = ""): string {
  checkPlaceholders(name);
  if (wordsIn(name).includes("account")) return name;
  throw new Failure("usage", "--all writes one file for each wallet, and needs a name for them.", {
    hint: "Add --save with {account} in it, for example --save 'wallet-{account}-{month}.csv'.",
  });
}

/** Refuses a mistyped placeholder: it would end up in the name, and each month would write the same file. */
function checkPlaceholders(name: string): void {
  const unknown = [...new Set(wordsIn(name).filter((word) => !known.includes(word)))];
  const [first] = unknown;
  if (first === undefined) return;
  const list = unknown.map((word) => `{${word}}`).join(" and ");
  const near = closest(first, known);
  const meant = near === undefined ? "" : `Did you mean {${near}}? `;
  throw new Failure("usage", `--save ${quotePath(name)} has ${list} in it, which has no meaning.`, {
    hint: `${meant}There are {account}, {month} and {date}. For a name that has braces in it, double them: {{${first}}}.`,
  });
}

function wordsIn(name: string): readonly string[] {
  return [...name.matchAll(placeholder)].flatMap(([, , word]) => word ?? []);
}
