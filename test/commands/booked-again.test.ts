import { describe, expect, test } from "vitest";
import { kinds } from "../movements/kinds.ts";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import type { WrittenRow } from "../statements-served.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// Money that left, came back and left again has left: the sentences follow the sum of the rows.

const [payer, receiver] = ["9000112233", "9000112244"];
const at = (second: number) => ({ valueDate: `2026-03-31 12:00:0${second}`, txnDate: `2026-03-31 12:00:0${second}` });
const paid = (second: number) => ({ tranRefNo: "X1", narration: "rent [R-1]", ...at(second) });
const back = (second: number) => ({ tranRefNo: "X2", narration: "Reversal of R-1", ...at(second) });

/** A till with an accepted order of 5 and a ledger with these rows. */
async function tillWith(kind: "transfer" | "withdraw", sent: readonly string[], received: readonly string[]) {
  const service = await serveStatements({ react: accept });
  const till = openTill(service.environment);
  const line = kinds.find((each) => each.kind === kind)?.line("R-1") ?? "";
  expect(await till.run(line)).toMatchObject({ exit: 0 });
  service.write(payer, withBalances(sent));
  service.write(receiver, withBalances(received));
  expect(await till.run("ledger sync")).toMatchObject({ exit: 0 });
  return till;
}

function withBalances(rows: readonly string[]): readonly WrittenRow[] {
  let balance = 100;
  return rows.map((row) => {
    const { amountCredited = 0, amountDebited = 0, ...others } = JSON.parse(row);
    balance += amountCredited - amountDebited;
    return { ...others, amountCredited, amountDebited, balance };
  });
}

/** The only payment that `find` shows: its state, its sentence from "Booked on", and its rows. */
async function found(till: Awaited<ReturnType<typeof tillWith>>) {
  const { stdout } = await till.run("find R-1 --offline --json");
  const payments: { state: string; sentence: string; events: Record<string, unknown>[] }[] = JSON.parse(stdout);
  const [{ state, sentence, events } = { state: "", sentence: "", events: [] }] = payments;
  expect(payments).toHaveLength(1);
  return {
    state,
    said: sentence.slice(sentence.indexOf("Booked on")),
    rows: events
      .filter(({ what }) => what === "row" || what === "taken back")
      .map(({ what, account, amount }) => `${String(what)} ${String(account)} ${String(amount)}`),
  };
}

const booked = (amount: string) => [debit(amount, paid(0)), credit(amount, back(1)), debit(amount, paid(1))];
const twiceOut = booked("5");
const twiceIn = [credit("5", paid(0)), debit("5", back(1)), credit("5", paid(1))];

describe("a transfer that was booked, taken back and booked again", () => {
  test("is shown by find as money that left, with rows in the order of the statements", async () => {
    expect(await found(await tillWith("transfer", twiceOut, twiceIn))).toEqual({
      state: "accepted",
      said: "Booked on 2026-03-31 in 9000112233 and 9000112244. It was reversed on 2026-03-31 and booked again on 2026-03-31. In all, TZS 5.00 left 9000112233 and TZS 5.00 came into 9000112244.",
      rows: [
        "row 9000112233 -5",
        "row 9000112244 5",
        "taken back 9000112244 -5",
        "taken back 9000112233 5",
        "row 9000112233 -5",
        "row 9000112244 5",
      ],
    });
  });

  test("has a receipt, and stays accepted", async () => {
    const till = await tillWith("transfer", twiceOut, twiceIn);
    expect((await till.run("journal receipt R-1")).stdout).toMatch(
      /^receipt +Transfer\. The service confirmed this payment\.\n/,
    );
    const resolved = await till.run("journal resolve R-1 --json");
    expect(resolved.exit).toBe(0);
    expect(JSON.parse(resolved.stdout)).toMatchObject([{ state: "accepted" }]);
  });

  test("and reversed again is reversed", async () => {
    const rows = [...twiceOut, credit("5", { ...back(2), tranRefNo: "X3" })];
    expect(await found(await tillWith("transfer", rows, []))).toMatchObject({
      state: "reversed",
      said: "Booked on 2026-03-31 in 9000112233. It was reversed on 2026-03-31.",
    });
  });
});

test("a withdrawal that was booked again after it came back is shown as money that left", async () => {
  const till = await tillWith("withdraw", booked("5.50"), []);
  expect((await found(till)).said).toBe(
    "Booked on 2026-03-31 in 9000112233. It was reversed on 2026-03-31 and booked again on 2026-03-31. In all, TZS 5.50 left 9000112233.",
  );
});

test("when one of two bookings came back, the other counts as money that left", async () => {
  const till = await tillWith(
    "withdraw",
    [debit("5.50", paid(0)), debit("5.50", paid(1)), credit("5.50", back(2))],
    [],
  );
  const { state, said } = await found(till);
  expect(state).toBe("accepted");
  expect(said).toBe(
    "Booked on 2026-03-31 in 9000112233. Part of it was reversed on 2026-03-31. In all, TZS 5.50 left 9000112233.",
  );
});

test("a transfer that came back to its payer although the receiver still has it is reported like that", async () => {
  const till = await tillWith("transfer", [debit("5", paid(0)), credit("5", back(1))], [credit("5", paid(0))]);
  const { state, said } = await found(till);
  expect(state).toBe("accepted");
  expect(said).toContain("It was reversed on 2026-03-31 in 9000112233. In all, TZS 5.00 came into 9000112244.");
});

test("a customer's payment that was taken back and booked again is shown as money that came in", async () => {
  const desk = await ledgerDesk();
  const lines = [
    { ref: "INV-8", day: "2026-10-01", narration: "Asha" },
    { ref: "FT2", day: "2026-10-02", amount: -100, narration: "Reversal of INV-8" },
    { ref: "INV-8", day: "2026-10-03", narration: "Asha" },
  ];
  desk.write({ [payer]: { lines } });
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  const { stdout } = await desk.onDay("2026-10-05", "find INV-8 --offline --json");
  expect(JSON.parse(stdout)).toMatchObject([
    {
      state: "booked",
      sentence:
        "TZS 100.00 came into 9000112233 on 2026-10-01, reference INV-8, with 1 further row. It was reversed on 2026-10-02 and booked again on 2026-10-03. In all, TZS 100.00 came into 9000112233.",
    },
  ]);
});
