import { expect, test } from "vitest";
import { kinds } from "../movements/kinds.ts";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import type { WrittenRow } from "../statements-served.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";

// An order accounts for one debit of an account: money that left twice is shown, whatever its reference.

const transfer = kindOf("transfer");
const withdraw = kindOf("withdraw");
const collect = kindOf("collect");
const [payer, receiver] = ["9000112233", "9000112244"];
const fields = (tranRefNo: string) => ({ tranRefNo, narration: "rent [R-1]" });

/** What `report open` shows after the order was accepted and the statements hold these rows. */
async function openAfter(line: string, paid: readonly WrittenRow[], received: readonly WrittenRow[] = []) {
  const service = await serveStatements();
  service.react(accept);
  const till = openTill(service.environment);
  expect(await till.run(line)).toMatchObject({ exit: 0 });
  service.write(payer, paid);
  service.write(receiver, received);
  expect(await till.run("ledger sync")).toMatchObject({ exit: 0 });
  const { stdout } = await till.run("report open --csv --columns state,reference,account,amount,note");
  return stdout.split("\n").slice(1, -1);
}

const booked = (date: string) => ({ ...fields(`X-${date}`), valueDate: date, txnDate: date });

const second = "money left again for an order that this journal placed once";
const shown = (reference: string, amount: string, account = payer) =>
  `unmatched,${reference},${account},${amount},${second}`;

test("a second debit under an order's reference is shown", async () => {
  const rows = [debit("5", fields("X1")), debit("5", fields("X2"))];
  expect(await openAfter(transfer.line("R-1"), rows)).toEqual([shown("X2", "-5.00")]);
});

test("the debit with the order's own amount is its row, in any order", async () => {
  const rows = [debit("7", fields("X1")), debit("5.50", fields("X2")), debit("7", fields("X3"))];
  const open = [shown("X1", "-7.00"), shown("X3", "-7.00")];
  expect((await openAfter(withdraw.line("R-1"), rows)).toSorted()).toEqual(open);
});

test("a debit of another amount is the order's row if there is no better one, and is shown with what was ordered", async () => {
  expect(await openAfter(withdraw.line("R-1"), [debit("7", fields("X1"))])).toEqual([
    "unmatched,R-1,9000112233,-7.00,another amount was ordered: 5.50",
  ]);
});

test("a transfer that arrived with another amount than it left is shown in the account that lacks it", async () => {
  const received = [credit("4", fields("Y1"))];
  expect(await openAfter(transfer.line("R-1"), [debit("5", fields("X1"))], received)).toEqual([
    `unmatched,R-1,${receiver},4.00,another amount was ordered: 5.00`,
  ]);
});

test("a returned transfer stays open while the journal still has it as accepted", async () => {
  const paid = [debit("5", fields("X1")), credit("5", fields("X2"))];
  const received = [credit("5", fields("Y1")), debit("5", fields("Y2"))];
  expect(await openAfter(transfer.line("R-1"), paid, received)).toEqual([
    'unmatched,R-1,9000112233,5.00,"it was reversed as X2, and is still accepted in the journal"',
  ]);
});

test("a reversal is also recognised by its narration", async () => {
  const back = credit("5", { tranRefNo: "FT77", narration: "Reversal of R-1" });
  const named = 'unmatched,R-1,9000112233,5.00,"it was reversed as FT77, and is still accepted in the journal"';
  expect(await openAfter(transfer.line("R-1"), [debit("5", fields("X1")), back])).toEqual([named]);
  expect(await openAfter(transfer.line("R-1"), [back])).toContain(named);
  const other = credit("5", { tranRefNo: "FT78", narration: "Reversal of R-12" });
  expect(await openAfter(transfer.line("R-1"), [debit("5", fields("X1")), other])).toEqual([]);
});

test("a withdrawal that was returned once may leave again, but a third debit is shown", async () => {
  const [first, second, third] = [
    debit("5.50", fields("X1")),
    debit("5.50", fields("X2")),
    debit("5.50", fields("X3")),
  ];
  const back = credit("5.50", { tranRefNo: "FT77", narration: "Reversal of R-1" });
  expect(await openAfter(withdraw.line("R-1"), [first, back, second])).toEqual([]);
  expect(await openAfter(withdraw.line("R-1"), [first, second, back])).toEqual([]);
  expect(await openAfter(withdraw.line("R-1"), [first, back, second, third])).toEqual([shown("X3", "-5.50")]);
  expect(await openAfter(withdraw.line("R-1"), [back, first, second])).toEqual([]);
});

test("a transfer returned and sent again is not open in the receiving account either", async () => {
  const paid = [debit("5", fields("X1")), credit("5", fields("X2")), debit("5", fields("X3"))];
  const received = [credit("5", fields("Y1")), debit("5", fields("Y2")), credit("5", fields("Y3"))];
  expect(await openAfter(transfer.line("R-1"), paid, received)).toEqual([]);
  const backAgain = [...received, debit("5", fields("Y4"))];
  expect(await openAfter(transfer.line("R-1"), paid, backAgain)).toEqual([]);
});

test("a second return from the receiving account is shown", async () => {
  const paid = [debit("5", fields("X1"))];
  const received = [credit("5", fields("Y1")), debit("5", fields("Y2")), debit("5", fields("Y3"))];
  expect(await openAfter(transfer.line("R-1"), paid, received)).toEqual([shown("Y3", "-5.00", receiver)]);
});

test("a new debit for an order already marked reversed is shown", async () => {
  const service = await serveStatements({ react: accept });
  const till = openTill(service.environment);
  expect(await till.run(withdraw.line("R-1"))).toMatchObject({ exit: 0 });
  const [paid, back] = [debit("5.50", fields("R-1")), credit("5.50", fields("REV-R-1"))];
  service.write(payer, [paid, back]);
  expect((await till.run("journal resolve R-1 --csv --columns state")).stdout).toBe("state\nreversed\n");
  const open = async () => {
    await till.run("ledger sync");
    const { stdout } = await till.run("report open --csv --columns state,reference,account,amount,note");
    return stdout.split("\n").slice(1, -1);
  };
  expect(await open()).toEqual([]);
  service.write(payer, [paid, back, debit("5.50", { ...fields("R-1"), balance: 2 })]);
  expect(await open()).toEqual([
    "unmatched,R-1,9000112233,-5.50,money left again for an order that this journal has as reversed",
  ]);
});

test("a collection's credit with the same reference does not count as a reversal of the transfer", async () => {
  const service = await serveStatements();
  service.react(accept);
  const till = openTill(service.environment);
  expect(await till.run(collect.line("R-1", "5"))).toMatchObject({ exit: 0 });
  expect(await till.run(`${transfer.line("R-1")} --again`)).toMatchObject({ exit: 0 });
  service.write(payer, [credit("5", fields("X1")), debit("5", fields("X2"))]);
  service.write(receiver, [credit("5", fields("Y1"))]);
  expect(await till.run("ledger sync")).toMatchObject({ exit: 0 });
  const { stdout } = await till.run("report open --csv --columns state,kind,reference");
  expect(stdout.split("\n").slice(1, -1)).toEqual(["pending,collection,R-1"]);
  const paid = (await till.movements()).find(({ kind }) => kind === "transfer");
  expect((await till.run(`journal receipt ${paid?.id}`)).stdout).toContain("The service confirmed this payment.");
});

test("receipt and find say that the payment was taken back, as the statement shows", async () => {
  const service = await serveStatements();
  service.react(accept);
  const till = openTill(service.environment);
  expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 0 });
  service.write(payer, [debit("5", fields("X1"))]);
  await till.run("ledger sync");
  expect((await till.run("journal receipt R-1")).stdout).toMatch(
    /^receipt +Transfer\. The service confirmed this payment\.\n/,
  );
  service.write(payer, [debit("5", fields("X1")), credit("5", fields("X2"))]);
  await till.run("ledger sync");
  const receipt = await till.run("journal receipt R-1 --json");
  expect(JSON.parse(receipt.stdout)).toMatchObject({
    receipt: "Transfer. This is not a receipt: the payment was reversed.",
    state: "reversed",
    settledAt: expect.stringContaining("T"),
    takenBackAt: expect.stringMatching(/^20/),
  });
  expect(JSON.parse((await till.run("find R-1 --offline --json")).stdout)).toMatchObject([{ state: "reversed" }]);
});

test("a debit this month is a second one if last month already has the first", async () => {
  const [service, day] = [await serveStatements(), 86_400_000];
  service.react(accept);
  const till = openTill(service.environment);
  const at = (days: number) => ({ now: Date.UTC(2026, 2, 30, 9) + days * day });
  expect(await till.run(transfer.line("R-1"), at(0))).toMatchObject({ exit: 0 });
  const [first, second] = [debit("5", booked("2026-03-30")), debit("5", booked("2026-04-02"))];
  const openInApril = async (rows: readonly WrittenRow[]) => {
    service.write(payer, rows);
    await till.run("ledger sync --start-date 2026-03-01", at(4));
    const report = "report open --month 2026-04 --csv --columns state,reference,account,amount,note";
    return (await till.run(report, at(4))).stdout.split("\n").slice(1, -1);
  };
  expect(await openInApril([second])).toEqual([]);
  expect(await openInApril([first, second])).toEqual([shown("X-2026-04-02", "-5.00")]);
  for (const date of ["2026-03-31", "2026-04-01"])
    expect(await openInApril([first, credit("5", { ...booked(date), tranRefNo: "REV-R-1" }), second])).toEqual([]);
});

test("a transfer that left twice is shown even if it also arrived twice", async () => {
  const paid = [debit("5", fields("X1")), debit("5", fields("X2"))];
  const received = [credit("5", fields("Y1")), credit("5", fields("Y2"))];
  expect(await openAfter(transfer.line("R-1"), paid, received)).toEqual([shown("X2", "-5.00")]);
});

function kindOf(name: string) {
  const found = kinds.find(({ kind }) => kind === name);
  if (found === undefined) throw new Error(`no kind is called ${name}`);
  return found;
}

test("a collection is open only in the wallet that booked it", async () => {
  const service = await serveStatements();
  service.react(accept);
  const till = openTill(service.environment);
  expect(await till.run(collect.line("C-1"))).toMatchObject({ exit: 0 });
  service.write(receiver, [credit("1500", { tranRefNo: "C-1", narration: "lunch" })]);
  service.write(payer, []);
  expect(await till.run("ledger sync")).toMatchObject({ exit: 0 });
  const openIn = async (account: string) =>
    (await till.run(`report open --account ${account} --csv --columns state,reference`)).stdout;
  expect(await openIn(payer)).toBe("state,reference\n");
  expect(await openIn(receiver)).toBe("state,reference\npending,C-1\n");
});
