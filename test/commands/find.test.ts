import { describe, expect } from "vitest";
import type { Partner } from "../simulated.ts";
import { now, test as simulated } from "../simulated.ts";
import { temporaryFolder } from "../memory-host.ts";

/** A `partner` with its own folder, after some orders. */
const test = simulated.extend<{ readonly desk: Partner }>({
  desk: async ({ partnerIn }, use) => {
    const desk = partnerIn({ now, environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
    await desk`transfer --from 9000112233 --to 9000112244 --amount 250000 --description "Salaries week 40" --reference SAL-40 --yes`;
    await desk`transfer --from 9000112233 --to 9000112244 --amount 5000 --description rent --reference INV-77 --yes`;
    await desk`transfer --from 9000112233 --to 9000112244 --amount 5000 --description rent --reference INV-7 --yes --again`;
    await desk`collect --msisdn 0712345678 --channel TZ-TIGO-C2B --amount 15000 --narration "Invoice 42" --reference INV-42 --callback-url https://h.example/x --yes`;
    await use(desk);
  },
});

/** The references of the payments found, one for each. */
async function found(desk: Partner, what: string): Promise<unknown[]> {
  const { stdout } = await desk`find "${what}" --offline --json`;
  if (stdout === "") return [];
  return JSON.parse(stdout).map(({ events }: { events: { reference: string }[] }) => events[0]?.reference);
}

describe("a payment is found", () => {
  const cases: readonly [string, readonly string[]][] = [
    ["INV-7", ["INV-7"]],
    ["inv-7", ["INV-7"]],
    ["INV-7-PAYOUT", ["INV-7"]],
    ["INV-77", ["INV-77"]],
    ["INV-", []],
    ["0712345678", ["INV-42"]],
    ["+255 712 345 678", ["INV-42"]],
    ["00255712345678", ["INV-42"]],
    ["0712-345-678", ["INV-42"]],
    ["255712345679", []],
    ["5000", ["INV-77", "INV-7"]],
    ["5,000.00", ["INV-77", "INV-7"]],
    ["TZS 5 000", ["INV-77", "INV-7"]],
    ["5000/=", ["INV-77", "INV-7"]],
    ["5\u00a0000.00", ["INV-77", "INV-7"]],
    ["5\u202f000", ["INV-77", "INV-7"]],
    ["5’000", ["INV-77", "INV-7"]],
    ["-5000", ["INV-77", "INV-7"]],
    ["500", []],
    ["05000", []],
    ["week salaries", ["SAL-40"]],
    ["sal", []],
    ["%", []],
    ["_", []],
    ["' OR 1=1 --", []],
    ["x".repeat(10_000), []],
    ["5 ".repeat(5000), []],
  ];
  test.for(cases.map(([what, references]) => ({ shown: what.slice(0, 20), what, references })))(
    "by $shown",
    async ({ what, references }, { desk }) => {
      expect(await found(desk, what)).toEqual(references);
    },
  );

  test("by its transaction id, its request id, and its own id or a part of it", async ({ desk }) => {
    const [order] = JSON.parse((await desk`journal export --json`).stdout);
    for (const id of [order.transactionId, order.requestId, order.id, order.id.slice(0, 8)])
      expect(await found(desk, id)).toEqual(["SAL-40"]);
  });
});

test("the events of a payment are one line each under a sentence", async ({ desk }) => {
  const { exit, stdout, stderr } = await desk`find SAL-40 --offline`;
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "1 payment; the ledger is empty.\n" });
  expect(stdout).toBe(`Sent TZS 250,000.00 from 9000112233 to Mishahara (salaries) (9000112244), reference SAL-40.
  2026-03-31 12:00:00  ordered   9000112233  -250,000.00 TZS  SAL-40  transfer to 9000112244: Salaries week 40 [SAL-40]
  2026-03-31 12:00:00  sent      9000112233                   SAL-40  the request left
  2026-03-31 12:00:00  answered  9000112233                   SAL-40  accepted by the answer: HTTP 200: the service said yes
`);
});

test("JSON is a list with state, sentence and events; CSV has a line for each event", async ({ desk }) => {
  const [payment, ...others] = JSON.parse((await desk`find INV-42 --offline --json`).stdout);
  expect(others).toEqual([]);
  expect(Object.keys(payment)).toEqual(["state", "sentence", "events"]);
  expect(payment).toMatchObject({ state: "pending", events: [{ what: "ordered", amount: 15000 }, {}, {}] });
  const { stdout } = await desk`find 5000 --offline --csv --columns payment,state,what,amount,reference`;
  expect(stdout).toBe(`payment,state,what,amount,reference
1,accepted,ordered,-5000,INV-77
1,accepted,sent,,INV-77
1,accepted,answered,,INV-77
2,accepted,ordered,-5000,INV-7
2,accepted,sent,,INV-7
2,accepted,answered,,INV-7
`);
  expect((await desk`find 5000 --offline --output ndjson`).stdout.trim().split("\n")).toHaveLength(2);
});

test("nothing found is exit 4, and the error names what was searched", async ({ desk }) => {
  const { exit, stdout, stderr } = await desk`find INV-8 --offline`;
  expect({ exit, stdout }).toEqual({ exit: 4, stdout: "" });
  expect(stderr).toContain('Error: Nothing was found for "INV-8" in the journal');
  expect((await desk`find ""`).exit).toBe(2);
  expect((await desk`find "  " --offline`).exit).toBe(4);
});
