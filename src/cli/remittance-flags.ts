import { flagKey, remittanceFields } from "../remittance/fields.ts";
import type { Draft } from "../remittance/draft.ts";
import { parseAmount } from "../values/amount.ts";
import type { Option } from "./input.ts";
import { anyText, flagName, option } from "./input.ts";

/** One flag for every field of a remittance, named by its path. */
export const remittanceFlags: Readonly<Record<string, Option<string, false>>> = Object.fromEntries(
  remittanceFields.map(({ path, words, kind, choices, group }) => [
    flagKey(path),
    option({
      value: choices?.join("|") ?? (kind === "amount" ? "N" : kind === "day" ? "YYYY-MM-DD" : "TEXT"),
      summary: `${words}.`,
      group,
      read: (text, name) => (kind === "amount" ? parseAmount(text, name).toString() : anyText(text, name)),
    }),
  ]),
);

/** What the flags say, by path. */
export function draftOfFlags(flags: Readonly<Record<string, unknown>>): Draft {
  return new Map(
    remittanceFields.flatMap(({ path }): [string, string][] => {
      const value = flags[flagKey(path)];
      return typeof value === "string" ? [[path, value]] : [];
    }),
  );
}

/** `--sender-full-name`; the reference and the date have names of their own. */
export function flagOf(path: string): string {
  if (path === "partnerReference") return "--reference";
  return `--${flagName(flagKey(path))}`;
}

/** The command line that says all of this without a question. What is personal is left for a person to fill in. */
export function commandLineOf(draft: Draft): string {
  const words = remittanceFields.flatMap(({ path, personal, standard }) => {
    const text = draft.get(path);
    if (text === undefined || text === standard) return [];
    return [flagOf(path), personal === true ? "'…'" : quoted(text)];
  });
  return ["partner remit", ...words].join(" ");
}

function quoted(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
