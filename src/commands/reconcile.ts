import { command } from "../app/command.ts";
import { readingEndsIn } from "../cli/endings.ts";
import { fillFileName } from "../app/statements/file-name.ts";
import { reconcileFlags } from "../app/statements/reconcile-flags.ts";
import { reconciliationOf } from "../app/statements/reconciliation.ts";
import { describeFormats } from "../statements/formats/encoders.ts";
import { resultFormats } from "../statements/reconcile/result/reconcile-report.ts";
import { resolvePeriod } from "../values/time/period.ts";

export default command({
  summary: "Compare an account's statement with your book, or with the journal, row by row.",
  description:
    "Rows meet by reference, then by amount and day; nothing is guessed and nothing adjusted. It ends with 0 only when every row is matched and the statement adds up.",
  examples: [
    "reconcile --account 9000112233 --last-month",
    "reconcile --account 9000112233 --month 2026-10 --book ledger.csv --book-reference Ref --book-amount Amount --book-date Date --save october.csv",
    "reconcile --account 9000112233 --last-month --book ledger.csv --save 'reconciliation-{month}.xlsx'",
    "reconcile --account 0150387654321 --account-kind merchant --yesterday --book ledger.csv --json",
  ],
  args: {},
  flags: reconcileFlags,
  fileFormats: describeFormats(resultFormats),
  exits: [...readingEndsIn, "mismatch"],
  async run({ flags }, session) {
    const { save } = session.result;
    const { endDate } = resolvePeriod(flags, session.today());
    if (save !== undefined) session.saveAs(fillFileName(save, flags.account, endDate));
    return reconciliationOf(session, flags);
  },
});
