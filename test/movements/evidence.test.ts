import { expect, onTestFinished, test } from "vitest";
import { answer, recorder } from "../contract/recorder.ts";
import { kinds } from "./kinds.ts";
import { environmentAt } from "./service.ts";
import { openTill } from "./till.ts";

// What `journal resolve` takes for proof: one row of the statement that carries the reference and did what was ordered.

const row = (debit: string, narration = "rent [R-1]") =>
  `{"tranRefNo":"FT26090000","valueDate":"2026-03-31 12:00:00","txnDate":"2026-03-31 12:00:00","narration":"${narration}","debitOrCredit":"DR","amountCredited":0,"amountDebited":${debit},"balance":1}`;

/** A transfer of 5 whose answer was a 500, and a statement with these rows. */
async function lostWith(...rows: readonly string[]) {
  const statement = answer("200 OK", `[${rows.join(",")}]`);
  const service = await recorder(answer("200 OK", "[]"), answer("500 Oops", ""), statement);
  onTestFinished(() => service.stop());
  const till = openTill(environmentAt(service.origin));
  expect(await till.run(kinds[0].line("R-1"))).toMatchObject({ exit: 6 });
  return { till, run: await till.run("journal resolve R-1 --json") };
}

test("one row that carries the reference and did what was ordered decides", async () => {
  const { till, run } = await lostWith(row("1", "fee"), row("5.00"), row("5", "rent [R-2]"));
  expect(run).toMatchObject({ exit: 0 });
  expect(await till.movements()).toMatchObject([{ state: "accepted", evidence: "statement" }]);
});

test.for([
  ["no row", []],
  ["a row with another amount", [row("6")]],
  ["a row that paid in what was to be paid out", [row("-5")]],
  ["two rows", [row("5"), row("5")]],
  ["a right row and one with another amount", [row("5"), row("6")]],
  ["a row whose amount is none", [row('"five"')]],
  ["a row that has the reference in the middle", [row("5", "rent [R-1] again")]],
  ["a row of a longer reference", [row("5", "rent [R-10]")]],
] as const)("%s decides nothing: it stays unknown", async ([, rows]) => {
  const { till, run } = await lostWith(...rows);
  expect(run).toMatchObject({ exit: 6, stdout: expect.stringContaining('"state": "unknown"') });
  expect(await till.movements()).toMatchObject([{ state: "unknown" }]);
});
