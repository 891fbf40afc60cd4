import { expect, test } from "vitest";
import type { Rows } from "../../src/contract/endpoint.ts";
import { walletEntryShape } from "../../src/statements/entry.ts";
import { linesOf } from "../../src/statements/formats/statement-lines.ts";
import { Numeral } from "../../src/values/json.ts";
import { memoryHost } from "../memory-host.ts";

const { files } = memoryHost();
const count = 120_007;
const batchRows = 997;

/** Rows as a reader gives them, again for each reading; counts the rows read. */
function rowsOf(references: (index: number) => string): Rows & { readonly read: () => number } {
  let handed = 0;
  return {
    read: () => handed,
    async *[Symbol.asyncIterator]() {
      for (let start = 0; start < count; start += batchRows) {
        const length = Math.min(batchRows, count - start);
        handed += length;
        yield Array.from({ length }, (_, index) => ({
          tranRefNo: references(start + index),
          valueDate: "2026-02-10 08:00:00",
          amountCredited: new Numeral("1"),
        }));
      }
    },
  };
}

test("a long statement in reverse order is turned round completely", async () => {
  const rows = rowsOf((index) => `R${count - 1 - index}`);
  let next = 0;
  let wrong = 0;
  let longest = 0;
  for await (const lines of linesOf(rows, walletEntryShape, { newestFirst: true, files, known: { accountNo: "42" } })) {
    longest = Math.max(longest, lines.length);
    for (const { row, reference } of lines) {
      if (row !== next + 1 || reference !== `R${next}`) wrong += 1;
      next += 1;
    }
  }
  expect({ next, wrong, longest }).toEqual({ next: count, wrong: 0, longest: 500 });
  expect(rows.read()).toBe(count);
});

test("rows in order are read once, as they come", async () => {
  const rows = rowsOf((index) => `R${index}`);
  let next = 0;
  for await (const lines of linesOf(rows, walletEntryShape, { newestFirst: false, files, known: { accountNo: "42" } }))
    next += lines.length;
  expect(next).toBe(count);
  expect(rows.read()).toBe(count);
});
