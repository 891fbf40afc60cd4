import type { JsonObject } from "../values/json.ts";

/** What a row of the institutions says, as far as it can be told. Spec is silent on its fields. */
export interface Institution {
  readonly code: string;
  readonly name: string | undefined;
  readonly channel: "MOBILE" | "BANK" | undefined;
}

/** Rows without anything like a code are left out: they cannot be chosen. */
export function institutionsOf(rows: readonly JsonObject[]): Institution[] {
  return rows.flatMap((row) => {
    const code = textLike(row, /^(institution_?)?code$/i);
    return code === undefined ? [] : [{ code, name: textLike(row, /name$/i), channel: channelOf(row) }];
  });
}

function channelOf(row: JsonObject): Institution["channel"] {
  const words = Object.values(row).filter((value) => typeof value === "string");
  const said = (word: string) => words.some((value) => value.toUpperCase() === word);
  return said("MOBILE") ? "MOBILE" : said("BANK") ? "BANK" : undefined;
}

function textLike(row: JsonObject, name: RegExp): string | undefined {
  const value = Object.entries(row).find(
    ([field, text]) => name.test(field) && typeof text === "string" && text !== "",
  )?.[1];
  return typeof value === "string" ? value : undefined;
}
