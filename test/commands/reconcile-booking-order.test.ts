import { expect, test } from "vitest";
import { bookFile } from "./month.ts";
import { ask, ok } from "./served.ts";

// The rows of a statement may come in another order than they were booked in.

/** A credit of 5.00 with the balance after it. */
function row(ref: string, day: string, balance: string): string {
  return `{"tranRefNo":"${ref}","valueDate":"2026-10-${day} 08:00:00","txnDate":"2026-10-${day} 08:00:00","narration":"n","debitOrCredit":"CR","amountCredited":5.00,"amountDebited":0.00,"balance":${balance}}`;
}

test("a statement sorted by value date closes with the balance after the last booked row", async () => {
  // Booked as A, B, V, each 5.00; V has an earlier value date and comes first.
  const rows = [row("V", "01", "15.00"), row("A", "02", "5.00"), row("B", "03", "10.00")];
  const book = bookFile("reference,amount,date\nA,5.00,2026-10-02\nB,5.00,2026-10-03\nV,5.00,2026-10-01\n");
  const line = `reconcile --account 42 --month 2026-10 --book ${book} --book-opening=0 --json`;
  const { exit, stdout, stderr } = await ask(line, ok(`[${rows.join()}]`), { now: Date.UTC(2026, 10, 20, 9) });
  expect(JSON.parse(stdout)).toMatchObject({
    opening: 0,
    closing: 15,
    closingPerBook: 15,
    unexplained: 0,
    addsUp: false,
  });
  expect({ exit, said: stderr.includes("the statement does not add up: row 2") }).toEqual({ exit: 9, said: true });
});
