import { expect, test } from "vitest";
import { kinds } from "../movements/kinds.ts";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";

// A payment booked on several days, or in another order than its accounts' numbers, is shown as statements have it.

const [payer, receiver] = ["9000112233", "9000112244"];
const booked = (valueDate: string) => ({ tranRefNo: "X1", narration: "rent [R-1]", valueDate, txnDate: valueDate });

const at = (day: number) => ({ now: Date.UTC(2026, 2, day, 9) });

async function sentenceOf(paidOn: string, receivedOn: string): Promise<string> {
  const service = await serveStatements();
  service.react(accept);
  const till = openTill(service.environment);
  const transfer = kinds.find(({ kind }) => kind === "transfer");
  expect(await till.run(transfer?.line("R-1") ?? "", at(31))).toMatchObject({ exit: 0 });
  service.write(payer, [debit("5", booked(paidOn))]);
  service.write(receiver, [credit("5", booked(receivedOn))]);
  await till.run("ledger sync --start-date 2026-03-01", at(34));
  const [payment] = JSON.parse((await till.run("find R-1 --offline --json", at(34))).stdout);
  return String(payment.sentence);
}

test("a transfer that leaves in one month and arrives in the next is shown as booked on both days", async () => {
  expect(await sentenceOf("2026-03-31 23:59:59", "2026-04-01 00:00:00")).toMatch(
    /Booked on 2026-03-31 in 9000112233 and on 2026-04-01 in 9000112244\.$/,
  );
});

test("a transfer within one day is shown as booked on that day in both accounts", async () => {
  expect(await sentenceOf("2026-03-31 10:00:00", "2026-03-31 10:00:00")).toMatch(
    /Booked on 2026-03-31 in 9000112233 and 9000112244\.$/,
  );
});

test("a transfer that arrives before it leaves is shown in that order", async () => {
  expect(await sentenceOf("2026-04-01 08:00:00", "2026-03-31 10:00:00")).toMatch(
    /Booked on 2026-03-31 in 9000112244 and on 2026-04-01 in 9000112233\.$/,
  );
});
