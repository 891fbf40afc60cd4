import { Failure } from "../../../values/failure.ts";

/** The largest answer. */
export const answerMaxBytes = 1024 ** 3;

/** Columns with exact amounts as text. */
export const amountNames: ReadonlySet<string> = new Set([
  "amount",
  "balance",
  "opening",
  "credits",
  "debits",
  "fees",
  "closing",
  "credit",
  "debit",
]);

export function tooLong(timeoutMs: number, cause: unknown): Failure {
  return new Failure("usage", `The query did not end within ${timeoutMs / 1000} s.`, {
    hint: "Give it more time with --timeout, or let it look at less.",
    cause,
  });
}

export function tooMuch(cause: unknown): Failure {
  return new Failure("usage", `The query returns more than ${answerMaxBytes / 1024 ** 3} GiB.`, {
    hint: "Choose fewer columns, or add a LIMIT.",
    cause,
  });
}
