import { expect, test } from "vitest";
import type { Line } from "./month.ts";
import { bookFile, statementOf } from "./month.ts";
import { ask, ok } from "./served.ts";

const shown = "--csv --columns class,reference,statementAmount,bookAmount,note --no-header";
const rent = (day: string): Line => ["RENT", day, "-500.00"];
const entry = (day: string) => `RENT,-500.00,${day}\n`;

/**
 * Reconciles October with a book that includes earlier entries; the service has these rows for October, and those
 * before it.
 */
async function october(rows: readonly Line[], earlier: readonly Line[], book: string) {
  const path = bookFile(`reference,amount,date\n${book}`);
  const answers = [ok(statementOf(rows)), ok(statementOf(earlier))];
  const line = `reconcile --account 42 --month 2026-10 --book ${path} ${shown}`;
  return ask(line, answers, { now: Date.UTC(2026, 10, 20, 9) });
}

test("an unbooked rent of October does not match September's entry", async () => {
  const { exit, stdout, requests } = await october([rent("2026-10-05")], [rent("2026-09-05")], entry("2026-09-05"));
  expect({ exit, stdout }).toEqual({
    exit: 9,
    stdout: "probable,RENT,-500.00,-500.00,in the book RENT on 2026-09-05\n",
  });
  expect(requests).toHaveLength(2);
  expect(requests[1]).toContain(`"startDate":"2026-09-03","endDate":"2026-09-28"`);
});

test("an entry of September's last days belongs to the earlier row that it was booked for", async () => {
  const september = [rent("2026-09-28")];
  const unbooked = await october([rent("2026-10-28")], september, entry("2026-09-30"));
  expect(unbooked).toMatchObject({
    exit: 9,
    stdout: "probable,RENT,-500.00,-500.00,in the book RENT on 2026-09-30\n",
  });
  expect(unbooked.requests[1]).toContain(`"startDate":"2026-09-28","endDate":"2026-09-28"`);
  const own = await october(
    [rent("2026-09-30"), rent("2026-10-28")],
    september,
    entry("2026-09-30") + entry("2026-10-28"),
  );
  expect(own).toMatchObject({ exit: 0, stdout: "matched,RENT,-500.00,-500.00,\n" });
  expect(own.requests).toHaveLength(1);
});

test("a cheque that the bank took late matches its entry of September", async () => {
  const cheque: readonly Line[] = [["CHQ-1", "2026-10-05", "-70.00"]];
  const other: readonly Line[] = [
    ["CHQ-2", "2026-09-05", "-70.00"],
    ["CHQ-1", "2026-09-06", "-71.00"],
  ];
  const { exit, stdout } = await october(cheque, other, "CHQ-1,-70.00,2026-09-04\n");
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: "matched,CHQ-1,-70.00,-70.00,in the book on 2026-09-04\n",
  });
});

test("one earlier row uses up one of two earlier entries", async () => {
  const book = entry("2026-09-05") + entry("2026-09-06");
  const once = await october([rent("2026-10-05")], [rent("2026-09-05")], book);
  expect(once).toMatchObject({ exit: 0, stdout: "matched,RENT,-500.00,-500.00,in the book on 2026-09-06\n" });
  const twice = await october([rent("2026-10-05")], [rent("2026-09-05"), rent("2026-09-07")], book);
  expect(twice.exit).toBe(9);
});

test("earlier entries cost one more request, and only if one of them resembles a row", async () => {
  const book = `${entry("2026-09-05")}${entry("2026-10-05")}OLD-1,10.00,2026-01-05\n`;
  const { exit, requests } = await october(
    [
      ["RENT", "2026-10-05", "-500.00"],
      ["NEW-1", "2026-10-06", "+1.00"],
    ],
    [],
    `${book}NEW-1,1.00,2026-10-06\n`,
  );
  expect({ exit, requests: requests.length }).toEqual({ exit: 0, requests: 2 });
  const other = await october(
    [["NEW-1", "2026-10-06", "+1.00"]],
    [],
    "OLD-1,10.00,2026-01-05\nNEW-1,1.00,2026-10-06\n",
  );
  expect({ exit: other.exit, requests: other.requests.length }).toEqual({ exit: 0, requests: 1 });
});
