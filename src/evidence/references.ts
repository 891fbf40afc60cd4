import { tagOf, tagsIn } from "../contract/narration-tag.ts";
import type { StatementRow } from "./rows/statement-row.ts";

const lastWord = /(?<!\S)\S+$/;
const noFees: ReadonlyMap<string, string> = new Map();
const brackets = /^[[({<](.+)[\])}>]$/;

/**
 * Every reference that a row may have: the one it is booked under, whatever its narration has in brackets, and the
 * narration's last word. Whether these are references can't be known; a needless question is harmless. A fee has none:
 * the row that it is for has it.
 * @param ofFees references that fees name, by the service id under which the paid row is booked
 */
export function referencesIn(row: StatementRow, ofFees: ReadonlyMap<string, string> = noFees): readonly string[] {
  const { tranRefNo, narration, isFee } = row;
  if (isFee) return [];
  const [last = ""] = lastWord.exec(narration) ?? [];
  const words = [tranRefNo, ...tagsIn(narration), last.replace(brackets, "$1"), ofFees.get(tranRefNo) ?? ""];
  return [...new Set(words.map((word) => word.trim()).filter((word) => word !== ""))];
}

/** The tag at the end of a transfer's narration; empty where there is none. */
export function tagIn({ narration }: Pick<StatementRow, "narration">): string {
  return tagOf(narration);
}
