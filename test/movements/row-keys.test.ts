import { expect, test } from "vitest";
import { readRow, rowKey } from "../../src/evidence/rows/statement-row.ts";
import { Numeral } from "../../src/values/json.ts";

// Journals store rows under these keys. With another form every known row would look new.

const sides = { amountCredited: new Numeral("0"), amountDebited: new Numeral("0") };
const row = (amounts: Readonly<Record<string, Numeral>>) =>
  readRow("9000112233", {
    tranRefNo: "INV-7",
    valueDate: "2026-10-05T10:00:00",
    narration: "rent",
    ...sides,
    ...amounts,
    balance: new Numeral("95.00"),
  });

test.each([
  [{ amountDebited: new Numeral("5.00") }, '["vendor-7","9000112233","INV-7","2026-10-05 10:00:00","5","debit","95"]'],
  [{ amountCredited: new Numeral("5") }, '["vendor-7","9000112233","INV-7","2026-10-05 10:00:00","5","credit","95"]'],
])("the key of a row has the form that existing journals use", (amounts, key) => {
  expect(rowKey("vendor-7", row(amounts))).toBe(key);
});
