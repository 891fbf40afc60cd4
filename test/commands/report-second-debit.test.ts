import { expect, test } from "vitest";
import { kinds } from "../movements/kinds.ts";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import type { WrittenRow } from "../statements-served.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";

// An order accounts for one debit of an account: money that left twice is shown, whatever reference it names.

const transfer = kindOf("transfer");
const withdraw = kindOf("withdraw");
const [payer, receiver] = ["9000112233", "9000112244"];
const fields = (tranRefNo: string) => ({ tranRefNo, narration: "rent [R-1]" });

/** What `report open` shows once that order was accepted, and the statements hold those rows. */
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

const second = "money left again for an order that this journal placed once";
const shown = (reference: string, amount: string, account = payer) =>
  `unmatched,${reference},${account},${amount},${second}`;

test("a second debit under an order's reference is shown", async () => {
  const rows = [debit("5", fields("X1")), debit("5", fields("X2"))];
  expect(await openAfter(transfer.line("R-1"), rows)).toEqual([shown("X2", "-5.00")]);
});

test("a debit of the order's own amount is its row, whichever came first", async () => {
  const rows = [debit("7", fields("X1")), debit("5.50", fields("X2")), debit("7", fields("X3"))];
  const open = [shown("X1", "-7.00"), shown("X3", "-7.00")];
  expect((await openAfter(withdraw.line("R-1"), rows)).toSorted()).toEqual(open);
});

test("a debit of another amount is the order's row where it has no other", async () => {
  expect(await openAfter(withdraw.line("R-1"), [debit("7", fields("X1"))])).toEqual([]);
});

test("a transfer that came back left each account once", async () => {
  const paid = [debit("5", fields("X1")), credit("5", fields("X2"))];
  const received = [credit("5", fields("Y1")), debit("5", fields("Y2"))];
  expect(await openAfter(transfer.line("R-1"), paid, received)).toEqual([]);
});

test("a transfer that left twice is shown though as much came in", async () => {
  const paid = [debit("5", fields("X1")), debit("5", fields("X2"))];
  const received = [credit("5", fields("Y1")), credit("5", fields("Y2"))];
  expect(await openAfter(transfer.line("R-1"), paid, received)).toEqual([shown("X2", "-5.00")]);
});

function kindOf(name: string) {
  const found = kinds.find(({ kind }) => kind === name);
  if (found === undefined) throw new Error(`no kind is called ${name}`);
  return found;
}
