import type { Row } from "../../report/report.ts";
import type { Field } from "../../values/field.ts";

/** A part of the close: a sheet of its workbook and a section of its page. */
export interface CloseSection {
  /** At most 26 characters. */
  readonly name: string;
  readonly columns: readonly Field[];
  readonly rows: readonly Row[];
  /** Shown in place of the table if it has no rows. */
  readonly whenEmpty: string;
}

/** The head of a close. */
export interface CloseHead {
  readonly title: string;
  readonly profile: string;
  readonly period: string;
  /** What to look at; empty where every proof holds. */
  readonly problems: readonly string[];
  /** What people have accepted, on which the proofs depend. */
  readonly accepted: readonly string[];
  /** How it differs from earlier closes of the month. */
  readonly changed: readonly string[];
  /** Accounts that the last close lacks, and rows without a value date at the month's edges. */
  readonly remarks: readonly string[];
}

/** What the close says first. */
export function verdictOf({ problems, accepted }: CloseHead): string {
  if (problems.length > 0) return "Not every proof holds.";
  return accepted.length > 0 ? "Every proof holds, with what people accepted." : "Every proof holds.";
}
