import { feeSuffixes } from "../../contract/fee-row.ts";
import { folded } from "../../values/text/folded.ts";

/** A shorter word, or one without a digit, occurs in narrations by chance. */
export const namedIdMinChars = 3;

/** A whole token: nothing is cut off, or INV-7 would be found in INV-7/2. */
const word = /[\p{L}\p{N}_/-]+/gu;
const backBefore = /^(?:reversal|rvsl|rev)[-_/]*/i;
const backAfter = /(?<![-_/])[-_/]*(?:reversal|rvsl|rev)$/i;

/** The ids that words and ids can refer to: each word and each id, and each without a reversal's prefix or suffix. */
export function namesIn(words: string, ids: readonly string[]): readonly string[] {
  return [...(folded(words).match(word) ?? []), ...ids.map(folded)].flatMap((token) => {
    const bare = withoutReversal(token);
    return bare === token ? [token] : [token, bare];
  });
}

/** The id without a reversal's prefix or suffix. */
export function withoutReversal(id: string): string {
  return id.replace(backBefore, "").replace(backAfter, "");
}

/** True for an id that looks like a reference, rather than a word. */
export function looksLikeReference(id: string): boolean {
  return id.length >= namedIdMinChars && /\d/.test(id);
}

/** The reference of what a fee is for. @param id folded */
export function withoutSuffix(id: string): string {
  const suffix = feeSuffixes.find((ending) => id.endsWith(folded(ending))) ?? "";
  return id.slice(0, id.length - suffix.length);
}
