import { describe, expect, test } from "vitest";
import { run, words } from "../partner.ts";
import { temporaryFolder } from "../memory-host.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";
import { bookFile } from "./month.ts";

// From the statement to the book, line by line: each amount has the sign it counts with.

const account = "9000112233";

/**
 * Bank and book of an October payment whose fee the bank takes in November; the book has the payment net of the fee.
 */
async function desk(jump = 0) {
  const service = await serveStatements({
    statements: {
      [account]: [
        credit("1000.00", { tranRefNo: "F1", valueDate: "2026-10-31 23:59:59", balance: "1000.00" }),
        debit("20.00", { tranRefNo: "F1-PAYIN", valueDate: "2026-11-01 00:00:00", balance: "980.00" }),
        credit("300.00", { tranRefNo: "F2", valueDate: "2026-11-05 10:00:00", balance: `${1280 + jump}.00` }),
      ],
    },
  });
  const book = bookFile("reference,amount,date\nF1,980.00,2026-10-31\nF2,300.00,2026-11-05\n");
  const environment = { ...service.environment, PARTNER_CONFIG_DIR: temporaryFolder() };
  return (line: string) =>
    run(words(`reconcile --account ${account} --book ${book} ${line}`), { environment, now: Date.UTC(2026, 11, 1, 9) });
}

/** The lines that lead from the statement to the book. */
function linesIn(stdout: string): readonly string[] {
  const [, lines = ""] = /From the statement to the book[^\n]*\n(.*?)\nFees:/s.exec(stdout) ?? [];
  return lines.split("\n").map((line) => line.replace(/ {2,}/, " "));
}

describe("a fee of last month's payment", () => {
  test("is a difference of that month, and of this one no longer", async () => {
    const reconcile = await desk();
    const october = await reconcile("--month 2026-10 --book-opening 0");
    expect(linesIn(october.stdout)).toEqual([
      "closing per statement 1,000.00",
      "differences -20.00",
      "= closing per book 980.00",
    ]);
    const november = await reconcile("--month 2026-11 --book-opening 980");
    expect(linesIn(november.stdout)).toEqual(["closing per statement 1,280.00", "= closing per book 1,280.00"]);
    expect(november.exit).toBe(0);
  });

  test("also leads to the expected balance of the book when none is given", async () => {
    const reconcile = await desk();
    const { exit, stdout } = await reconcile("--month 2026-11");
    expect(linesIn(stdout)).toEqual(["closing per statement 1,280.00", "= should be in the book 1,280.00"]);
    expect(exit).toBe(0);
  });
});

test.each([
  ["the nearest day", "2026-10-08", ["2026-10-02", "2026-10-09"], 3],
  ["the nearest day, wherever the book has it", "2026-10-08", ["2026-10-09", "2026-10-02"], 2],
  ["the earlier of two days that are equally near", "2026-10-08", ["2026-10-09", "2026-10-07"], 3],
  ["a day of the month before a nearer one after it", "2026-10-31", ["2026-11-05", "2026-10-20"], 3],
] as const)("a payment that the book has twice net of fee is matched on %s", async (_, paid, days, line) => {
  const service = await serveStatements({
    statements: {
      [account]: [
        credit("1000.00", { tranRefNo: "F1", valueDate: `${paid} 10:00:00`, balance: "1000.00" }),
        debit("20.00", { tranRefNo: "F1-PAYIN", valueDate: `${paid} 10:00:00`, balance: "980.00" }),
      ],
    },
  });
  const book = bookFile(`reference,amount,date\n${days.map((day) => `F1,980.00,${day}\n`).join("")}`);
  const { stdout } = await run(
    words(`reconcile --account ${account} --book ${book} --month 2026-10 --csv --columns class,bookLine`),
    { environment: { ...service.environment, PARTNER_CONFIG_DIR: temporaryFolder() }, now: Date.UTC(2026, 11, 1, 9) },
  );
  expect(stdout).toContain(`net of fee,${line}\n`);
});

describe("a fee taken before the month whose payment comes after it", () => {
  test("is a difference of the month in which the book has the net amount", async () => {
    const service = await serveStatements({
      statements: {
        [account]: [
          credit("1000.00", { tranRefNo: "F0", valueDate: "2026-10-20 10:00:00", balance: "1000.00" }),
          debit("20.00", { tranRefNo: "F1-PAYIN", valueDate: "2026-10-31 23:00:00", balance: "980.00" }),
          credit("300.00", { tranRefNo: "F1", valueDate: "2026-12-01 01:00:00", balance: "1280.00" }),
        ],
      },
    });
    const book = bookFile("reference,amount,date\nF0,1000.00,2026-10-20\nF1,280.00,2026-11-30\n");
    const environment = { ...service.environment, PARTNER_CONFIG_DIR: temporaryFolder() };
    const line = `reconcile --account ${account} --book ${book} --month 2026-11 --book-opening 1000`;
    const { stdout } = await run(words(line), { environment, now: Date.UTC(2026, 11, 3, 9) });
    expect(linesIn(stdout)).toEqual([
      "closing per statement 980.00",
      "receipts in transit 280.00",
      "differences 20.00",
      "= closing per book 1,280.00",
    ]);
  });
});

describe("an unexplained amount", () => {
  test("has the sign that leads to the book's balance", async () => {
    const reconcile = await desk();
    for (const [closing, rest] of [
      ["1,290.00", "10.00"],
      ["1,270.00", "-10.00"],
    ] as const) {
      const { exit, stdout } = await reconcile(`--month 2026-11 --book-closing ${closing.replace(",", "")}`);
      expect(linesIn(stdout)).toEqual([
        "closing per statement 1,280.00",
        `unexplained ${rest}`,
        `= closing per book ${closing}`,
      ]);
      expect(exit).toBe(9);
    }
  });

  test("is also shown when the statement does not add up and the book's balance is not given", async () => {
    const reconcile = await desk(7);
    const { exit, stdout } = await reconcile("--month 2026-11");
    expect(linesIn(stdout)).toEqual([
      "closing per statement 1,287.00",
      "unexplained -7.00",
      "= should be in the book 1,280.00",
    ]);
    expect(exit).toBe(9);
  });
});
