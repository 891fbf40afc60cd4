import { expect, test } from "vitest";
import { draftFile, remittanceWith } from "../commands/remittance.ts";
import { answer } from "../contract/recorder.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";
import { kinds } from "./kinds.ts";
import { openTill } from "./till.ts";

// Which statements are read for an order, for which days, and what those of other wallets prove.

const [transfer, withdraw, collect, remit] = kinds;
const lunch = credit("1500", { tranRefNo: "R-1" });

/** A lost order R-1 and `journal resolve`, with these statements. */
async function resolvedBy(
  kind: (typeof kinds)[number] | undefined,
  statements: Parameters<typeof serveStatements>[0],
  now = Date.UTC(2026, 2, 31, 9),
) {
  const service = await serveStatements(statements);
  const till = openTill(service.environment);
  await till.run(kind?.line("R-1") ?? "", { now });
  const { exit } = await till.run("journal resolve R-1 --json", { now });
  return { exit, asked: service.asked };
}

test.for([
  ["a collection in the default collection wallet", collect, "0560066551200", [lunch], 0],
  ["a collection in a disbursement wallet", collect, "9000112233", [lunch], 6],
  ["a transfer where it was paid from", transfer, "9000112233", [debit("5", { narration: "rent [R-1]" })], 0],
  ["a transfer where it was received", transfer, "9000112244", [credit("5", { narration: "rent [R-1]" })], 6],
  ["a withdrawal from another wallet", withdraw, "9000112244", [debit("5.50", { tranRefNo: "R-1" })], 6],
  [
    "a remittance of shillings in a wallet of shillings",
    remit,
    "9000112244",
    [debit("250000", { tranRefNo: "R-1" })],
    0,
  ],
  ["a remittance of dollars in a wallet of shillings", remit, "9000112244", [debit("100", { tranRefNo: "R-1" })], 6],
  ["a remittance of shillings in a wallet of Kenya", remit, "9000445566", [debit("250000", { tranRefNo: "R-1" })], 6],
  ["a remittance in a collection wallet", remit, "0560066551200", [debit("250000", { tranRefNo: "R-1" })], 6],
] as const)("%s", async ([, kind, accountNo, rows, exit]) => {
  expect(await resolvedBy(kind, { statements: { [accountNo]: rows } })).toMatchObject({ exit });
});

test.for([
  ["what its receiver gets", "250000"],
  ["what its sender pays, with the fee", "250500"],
] as const)("a remittance within one currency is proved by a row of %s", async ([, amount]) => {
  const draft = draftFile(remittanceWith({ senderCurrency: "TZS", senderAmount: 250500, exchangeRate: 1 }));
  const line = (reference: string) => `remit --from-file ${draft} --reference ${reference} --yes --json`;
  const statements = { "9000112244": [debit(amount, { tranRefNo: "R-1" })] };
  expect(await resolvedBy(remit && { ...remit, line }, { statements })).toMatchObject({ exit: 0 });
});

test("each wallet is read once, from the day before the oldest order to a week after the latest", async () => {
  const service = await serveStatements();
  const till = openTill(service.environment);
  await till.run(transfer.line("R-1"), { now: Date.UTC(2026, 2, 20, 9) });
  await till.run(transfer.line("R-2"), { now: Date.UTC(2026, 2, 28, 9) });
  await till.run(withdraw?.line("R-3") ?? "", { now: Date.UTC(2026, 2, 31, 20, 59) });
  expect(await till.run("journal resolve --all --json", { now: Date.UTC(2026, 2, 31, 21) })).toMatchObject({ exit: 6 });
  expect(service.asked).toEqual([{ accountNo: "9000112233", startDate: "2026-03-19", endDate: "2026-04-07" }]);
});

test("a clock that was set back does not shorten the period that is read", async () => {
  const service = await serveStatements();
  const till = openTill(service.environment);
  await till.run(transfer.line("R-1"), { now: Date.UTC(2026, 2, 31, 9) });
  await till.run("journal resolve R-1", { now: Date.UTC(2026, 2, 1, 9) });
  expect(service.asked).toEqual([{ accountNo: "9000112233", startDate: "2026-03-30", endDate: "2026-04-07" }]);
});

test("a statement that broke off is read again from the start, and its rows count once", async () => {
  const row = debit("5", { narration: "rent [R-1]", balance: null });
  const service = await serveStatements({ statements: { "9000112233": { answer: answer("200 OK", `[${row},`) } } });
  const till = openTill(service.environment);
  await till.run(transfer.line("R-1"));
  expect(await till.run("journal resolve R-1 --retries 0 --json")).toMatchObject({ exit: 5 });
  service.write("9000112233", [row]);
  expect(await till.run("journal resolve R-1 --json")).toMatchObject({ exit: 0 });
});
