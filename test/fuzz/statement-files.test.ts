import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fileFormats } from "../../src/statements/formats/encoders.ts";
import { run, words } from "../partner.ts";
import { unplugged } from "./unplugged.ts";

const amount = fc.constantFrom(
  "0",
  "1",
  "-1",
  "1.5",
  "12345678901234567.10",
  "1e3",
  "1e-7",
  '""',
  "null",
  '"7.00"',
  '"x"',
  "{}",
  "9".repeat(40),
);
const time = fc.constantFrom(
  "2026-02-01 00:00:00",
  "2026-02-28T23:59:59Z",
  "2026-02-28",
  "2026-03-01 00:00:00",
  "9999-12-31",
  "yesterday",
  "",
);
const text = fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.constantFrom("A", "A-PAYIN", "x".repeat(400)));
const currency = fc.constantFrom('"TZS"', '"TZS"', '"KES"', "null", '""', '"tz"', "1");

/** A row of a merchant account, as strange as a service could send it. */
const row = fc
  .record({
    reference: text,
    narration: text,
    senderAccountName: text,
    valueDate: time,
    credit: amount,
    debit: amount,
    balance: amount,
    currency,
  })
  .map(({ credit, debit, balance, currency: code, ...texts }) => {
    const { length } = JSON.stringify(texts);
    const numbers = `"amountCredit":${credit},"amountDebit":${debit},"availableBalance":${balance},"currency":${code}`;
    return `${JSON.stringify(texts).slice(0, length - 1)},${numbers}}`;
  });

/** Rows that a file can hold, so that most runs write one. */
const plainRow = fc.record({ reference: text, narration: text }).map(({ reference, narration }) => {
  const texts = `"reference":${JSON.stringify(reference)},"narration":${JSON.stringify(narration)}`;
  return `{${texts},"valueDate":"2026-02-03","amountCredit":1,"availableBalance":5,"currency":"TZS"}`;
});

test("any rows of a service lead to a file, or to an error with a documented exit code", async () => {
  let written = 0;
  const property = fc.asyncProperty(
    fc.constantFrom(...fileFormats),
    fc.oneof(fc.array(row, { maxLength: 4 }), fc.array(plainRow, { maxLength: 4 })),
    async (format, rows) => {
      const body = `{"result":{"statement":[${rows.join(",")}],"currency":"TZS","availableBalance":7}}`;
      const line = words(`account statement 42 --month 2026-02 --output ${format}`);
      const ended = await run(line, unplugged({ status: 200, body }));
      expect([0, 5, 9]).toContain(ended.exit);
      expect(ended.stdout !== "").toBe(ended.exit === 0);
      expect(ended.exit === 0 || ended.stderr.includes("Error: ")).toBe(true);
      if (ended.exit === 0) written += 1;
    },
  );
  await fc.assert(property, { numRuns: 200 });
  expect(written).toBeGreaterThan(50);
});
