import type { StatementRow } from "./statement-row.ts";

/** What a transfer's narration ends in. */
const tag = /\[([^[\]]+)\]$/;
const lastWord = /(\S+)$/;
const brackets = /^[[({<](.+)[\])}>]$/;

/**
 * Every reference that a row carries: what it is booked under, the tag at the end of its narration, and the
 * narration's last word. Of that nobody can tell whether it is one; it is better to ask about it once too often. A fee
 * carries none: the row that it is for does.
 */
export function referencesIn({ tranRefNo, narration, isFee }: StatementRow): readonly string[] {
  if (isFee) return [];
  const [, tagged = ""] = tag.exec(narration) ?? [];
  const [, last = ""] = lastWord.exec(narration) ?? [];
  const words = [tranRefNo, tagged, last.replace(brackets, "$1")];
  return [...new Set(words.map((word) => word.trim()).filter((word) => word !== ""))];
}
