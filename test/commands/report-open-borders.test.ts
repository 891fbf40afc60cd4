import { expect, test } from "vitest";
import { kinds } from "../movements/kinds.ts";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";

// An order of a month's last day may be booked in the next month.

const [payer, receiver] = ["9000112233", "9000112244"];
const line = kinds[0].line("R-1");

function onDay(day: string) {
  return { now: Date.parse(`${day}T09:00:00Z`) };
}

/** A transfer that was ordered on 31 March. Its rows are in the ledger on 12 April. */
async function orderedInMarch(booked: string) {
  const service = await serveStatements({ react: accept });
  const till = openTill(service.environment);
  expect(await till.run(line, onDay("2026-03-31"))).toMatchObject({ exit: 0 });
  const row = { tranRefNo: "X1", narration: "rent [R-1]", valueDate: booked, txnDate: booked };
  service.write(payer, [debit("5", row)]);
  service.write(receiver, [credit("5", row)]);
  await till.run("ledger sync --start-date 2026-03-01", onDay("2026-04-12"));
  return async (period: string) => {
    const { stdout } = await till.run(
      `report open ${period} --csv --columns state,reference,note`,
      onDay("2026-04-12"),
    );
    return stdout.split("\n").slice(1, -1);
  };
}

test("an order that was booked in the first days of the next month is not open", async () => {
  const openIn = await orderedInMarch("2026-04-01 09:00:00");
  expect(await openIn("--month 2026-03")).toEqual([]);
  expect(await openIn("--month 2026-04")).toEqual([]);
  expect(await openIn("--date 2026-03-31")).toEqual([]);
});

test("an order that was booked more than a week after the month is open in it", async () => {
  const openIn = await orderedInMarch("2026-04-09 09:00:00");
  expect(await openIn("--month 2026-03")).toEqual(["unmatched,R-1,the ledger has no row of it up to 2026-04-07"]);
});
