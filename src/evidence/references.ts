import { tagOf } from "../contract/narration-tag.ts";
import type { StatementRow } from "./statement-row.ts";

const lastWord = /(\S+)$/;
const noneTold: ReadonlyMap<string, string> = new Map();
const brackets = /^[[({<](.+)[\])}>]$/;

/**
 * Every reference that a row carries: what it is booked under, the tag at the end of its narration, and the
 * narration's last word. Of that nobody can tell whether it is one; it is better to ask about it once too often. A fee
 * carries none: the row that it is for does.
 * @param told what fees say of rows that are booked under an id of the service, by that id
 */
export function referencesIn(row: StatementRow, told: ReadonlyMap<string, string> = noneTold): readonly string[] {
  const { tranRefNo, narration, isFee } = row;
  if (isFee) return [];
  const [, last = ""] = lastWord.exec(narration) ?? [];
  const words = [tranRefNo, tagIn(row), last.replace(brackets, "$1"), told.get(tranRefNo) ?? ""];
  return [...new Set(words.map((word) => word.trim()).filter((word) => word !== ""))];
}

/** The reference that a transfer's narration ends in; empty where there is none. */
export function tagIn({ narration }: Pick<StatementRow, "narration">): string {
  return tagOf(narration);
}
