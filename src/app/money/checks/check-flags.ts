import { checkDefaultDays, checkMaxDays } from "../../../movements/guards/second-witness.ts";
import type { StatementCheckMode } from "../../../values/statement-check.ts";
import { statementChecks } from "../../../values/statement-check.ts";
import { oneOf, option, wholeNumber } from "../../../cli/line/input.ts";

/** The flags of commands whose orders a statement shows. */
export const checkFlags = {
  checkStatement: option({
    value: "WHEN",
    words: statementChecks,
    summary: "Read the statement before sending: always, never, or unsure (the default: while the journal is new).",
    group: "money",
    read: oneOf(...statementChecks),
  }),
  checkDays: option({
    value: "N",
    summary: `Read this many days of it; the default is ${checkDefaultDays}.`,
    group: "money",
    read: wholeNumber(1, checkMaxDays),
  }),
} as const;

/** The flags about the second witness that a command has. */
export interface CheckFlags {
  readonly checkStatement?: StatementCheckMode | undefined;
  readonly checkDays?: number | undefined;
  readonly again?: boolean | undefined;
  /** The reference of the one order, where a person gave it. */
  readonly reference?: string | undefined;
}
