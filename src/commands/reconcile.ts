import { command } from "../app/command.ts";
import { reconcileFlags } from "../app/reconcile/flags.ts";
import { runReconcile } from "../app/reconcile/run.ts";
import { readingEndsIn } from "../cli/endings.ts";
import { describeFormats } from "../statements/formats/encoders.ts";
import { resultFormats } from "../statements/reconcile/result/reconcile-report.ts";

export default command({
  summary: "Compare an account's statement with your book, or with the journal, row by row.",
  description:
    "Rows match by reference, then by narration, parts, fee, amount and day. Ambiguous rows stay open and no amount is adjusted.\n\nIt ends with 0 only when book and bank agree. Every row is matched, in transit or ignored, or net of fee by a rule. The statement adds up, and nothing is unexplained. --book-opening or --book-closing gives the book's balance, and the result shows how the bank's balance leads to the book's.",
  examples: [
    "reconcile --account 9000112233 --last-month",
    "reconcile --account 9000112233 --month 2026-10 --book ledger.csv --book-reference Ref --book-amount Amount --book-date Date --save october.csv",
    "reconcile --account 9000112233 --last-month --book ledger.csv --save 'reconciliation-{month}.xlsx'",
    "reconcile --account 9000112233 --last-month --book ledger.csv --book-closing 1250000.00 --carry open.json",
    "reconcile --account 9000112233 --last-month --book ledger.csv --exceptions open.csv",
    "reconcile --account 9000112233 --last-month --book ledger.csv --decisions open.csv",
    "reconcile --all --last-month --book 'books/{account}.csv' --save 'reconciled/{account}.xlsx'",
    "reconcile --account 0150387654321 --account-kind merchant --yesterday --book ledger.csv --json",
  ],
  args: {},
  flags: reconcileFlags,
  fileFormats: describeFormats(resultFormats),
  exits: [...readingEndsIn, "mismatch"],
  async run({ flags }, session) {
    await runReconcile(session, flags);
    return undefined;
  },
});
