import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Row } from "../../src/report/report.ts";
import type { Field } from "../../src/values/field.ts";
import { Numeral } from "../../src/values/json.ts";
import { inBatches, render, rowsReport, stdoutOf } from "./render.ts";

const fields: readonly Field[] = [
  { name: "reference", kind: "id", role: "detail" },
  { name: "day", kind: "time", role: "when", shortens: "day" },
  { name: "narration", kind: "text", role: "what" },
  { name: "payer", kind: "id", role: "who" },
  { name: "credit", kind: "amount", side: "credit" },
  { name: "debit", kind: "amount", side: "debit" },
  { name: "balance", kind: "amount" },
  { name: "currency", kind: "id" },
  { name: "status", kind: "id", role: "state" },
];
const row = {
  reference: "REF-2026-0001",
  day: "2026-10-01 10:31:07",
  narration: "salary of March",
  payer: "0560066551200",
  credit: new Numeral("1500"),
  debit: new Numeral("0"),
  balance: new Numeral("4500000.00"),
  currency: "TZS",
  status: "done",
};

describe("on a narrower terminal the first thing to go is", () => {
  test.each([
    [
      "nothing, where all of it has room",
      140,
      `reference      day                  narration        payer            credit  debit       balance  currency  status
─────────────  ───────────────────  ───────────────  ─────────────  ────────  ─────  ────────────  ────────  ──────
REF-2026-0001  2026-10-01 10:31:07  salary of March  0560066551200  1,500.00   0.00  4,500,000.00  TZS       done
`,
    ],
    [
      "the time of day",
      108,
      `reference      day         narration        payer            credit  debit       balance  currency  status
─────────────  ──────────  ───────────────  ─────────────  ────────  ─────  ────────────  ────────  ──────
REF-2026-0001  2026-10-01  salary of March  0560066551200  1,500.00   0.00  4,500,000.00  TZS       done
`,
    ],
    [
      "details",
      102,
      `day         narration        payer            credit  debit       balance  currency  status
──────────  ───────────────  ─────────────  ────────  ─────  ────────────  ────────  ──────
2026-10-01  salary of March  0560066551200  1,500.00   0.00  4,500,000.00  TZS       done
`,
    ],
    [
      "one side of the account",
      80,
      `day         narration        payer          amount (TZS)  balance (TZS)  status
──────────  ───────────────  ─────────────  ────────────  ─────────────  ──────
2026-10-01  salary of March  0560066551200     +1,500.00   4,500,000.00  done
`,
    ],
    [
      "the end of texts",
      76,
      `day         narration     payer          amount (TZS)  balance (TZS)  status
──────────  ────────────  ─────────────  ────────────  ─────────────  ──────
2026-10-01  salary of M…  0560066551200     +1,500.00   4,500,000.00  done
`,
    ],
    [
      "the line: what is not cut stands below it",
      68,
      `day         narration        amount (TZS)  balance (TZS)  status
    payer
──────────  ───────────────  ────────────  ─────────────  ──────
2026-10-01  salary of March     +1,500.00   4,500,000.00  done
    0560066551200
`,
    ],
    [
      "all lines: below 60 columns a row is a small card",
      59,
      `2026-10-01  salary of March  0560066551200  done
  amount (TZS)      +1,500.00
  balance (TZS)  4,500,000.00
`,
    ],
    [
      "the names of amounts, never an amount",
      20,
      `2026-10-01
  salary of March
  0560066551200
  done
  amount (TZS)
  +1,500.00
  balance (TZS)
  4,500,000.00
`,
    ],
  ])("%s (%i columns)", async (_, terminal, shown) => {
    expect(await stdoutOf(rowsReport(fields, [row]), { terminal })).toBe(shown);
  });

  test("but never a column whose rows differ: a currency moves after each amount", async () => {
    const rows = [row, { ...row, currency: "KES" }];
    expect(await stdoutOf(rowsReport(fields, rows), { terminal: 80 })).toBe(
      `day         narration     payer                 amount           balance  status
──────────  ────────────  ─────────────  ─────────────  ────────────────  ──────
2026-10-01  salary of M…  0560066551200  +1,500.00 TZS  4,500,000.00 TZS  done
2026-10-01  salary of M…  0560066551200  +1,500.00 KES  4,500,000.00 KES  done
`,
    );
  });

  test("and a note counts the hidden columns and says how to show them", async () => {
    const note = "1 column is left out; --columns or a wider terminal shows it.\n";
    for (const [terminal, stderr] of [
      [140, ""],
      [80, note],
      [40, note],
    ] as const)
      expect(await render(rowsReport(fields, [row]), { terminal })).toMatchObject({ stderr });
  });

  test("but not a column chosen with --columns, which keeps its order", async () => {
    const columns = ["reference", "narration", "debit"];
    expect(await render(rowsReport(fields, [row]), { terminal: 40, columns })).toEqual({
      stdout: "REF-2026-0001  salary of March\n  debit  0.00 TZS\n",
      stderr: "",
      error: undefined,
    });
  });

  test("but not a currency chosen without amounts", async () => {
    const columns = ["payer", "currency"];
    expect(await stdoutOf(rowsReport(fields, [row]), { terminal: 30, columns })).toBe("0560066551200  TZS\n");
  });
});

describe("an amount", () => {
  const huge = "12345678901234567.105";
  test.each([1, 11, 20, 59, 60, 61, 80])("is shown whole on %i columns", async (terminal) => {
    const rows = [{ ...row, credit: huge, balance: `-${huge}` }];
    const text = (await stdoutOf(rowsReport(fields, rows), { terminal })).replaceAll(/\s+/g, " ");
    expect(text).toContain("+12,345,678,901,234,567.105");
    expect(text).toContain("-12,345,678,901,234,567.105");
  });

  test.each<[string, string | null, string | null, string]>([
    ["what came in has a plus", "5.00", "0.00", "+5.00"],
    ["what went out has a minus", "0.00", "5.00", "-5.00"],
    ["a debit of less than nothing came in", null, "-5.00", "+5.00"],
    ["a credit of less than nothing went out", "-5.00", null, "-5.00"],
    ["nothing on either side is nothing", "0.00", "0.00", "0.00"],
    ["no side, no amount", null, "", ""],
    ["both sides are both told", "5.00", "3.00", "+5.00 -3.00"],
    ["what isn't a valid amount stays the text it was", "n/a", null, "n/a"],
  ])("%s", async (_, credit, debit, shown) => {
    const some = fields.filter(({ name }) => name === "day" || name === "credit" || name === "debit");
    const text = await stdoutOf(rowsReport(some, [{ day: row.day, credit, debit }]), {
      terminal: 80,
      header: false,
    });
    expect(text).toBe(`${`2026-10-01  ${shown}`.trimEnd()}\n`);
  });
});

/** An order opened at that time. */
function at(openedAt: string, rest = {}): Row {
  return { openedAt, from: "9000112233", to: "0560066551200", ...rest };
}

describe("a terminal shortens", () => {
  const order: readonly Field[] = [
    { name: "openedAt", kind: "time", role: "when", shortens: "minute" },
    { name: "from", kind: "id", title: "from → to", role: "who", shortens: "account", arrowTo: "to" },
    { name: "note", kind: "id", role: "what" },
    { name: "id", kind: "id", role: "detail", shortens: "id" },
  ];
  const today = "2026-10-31";
  const linesOf = async (rows: readonly Row[], terminal = 60) =>
    (await stdoutOf(rowsReport(order, rows), { terminal, header: false, today })).trimEnd().split("\n");
  const long = "n".repeat(30);

  test("times by leaving out the date if all rows are of today", async () => {
    const both = [at("2026-10-31T08:00:00+03:00"), at("2026-10-31T10:31:07+03:00")];
    expect((await linesOf(both, 120)).map((line) => line.slice(0, 10))).toEqual(["08:00:00  ", "10:31:07  "]);
    expect((await linesOf(both)).map((line) => line.slice(0, 7))).toEqual(["08:00  ", "10:31  "]);
    const older = [at("2026-10-30T08:00:00+03:00"), ...both];
    expect((await linesOf(older))[2]?.slice(0, 18)).toBe("2026-10-31 10:31  ");
  });

  test("no time in another time zone", async () => {
    expect((await linesOf([at("2026-10-31T08:00:00+01:00")]))[0]).toMatch(/^2026-10-31T08:00:00\+01:00 {2}/);
  });

  test("account numbers only when there is no room, and only while they stay distinct", async () => {
    const fits = await linesOf([at("2026-10-31T08:00:00+03:00")]);
    expect(fits[0]).toBe("08:00  9000112233 → 0560066551200");
    const short = await linesOf([at("2026-10-31T08:00:00+03:00", { note: long })]);
    expect(short[0]).toBe(`08:00  9000…2233 → 0560…1200  ${long}`);
    const alike = await linesOf([
      at("2026-10-31T08:00:00+03:00", { note: long }),
      at("2026-10-31T08:00:00+03:00", { from: "9000992233", note: long }),
    ]);
    expect(alike.slice(0, 2).map((line) => line.slice(0, 30).trimEnd())).toEqual([
      "08:00  9000112233 → 0560…1200",
      `    ${"n".repeat(26)}`,
    ]);
  });

  test("ids to the length at which they stay distinct", async () => {
    const id = "9b2e6c1e-52e5-4c6c-8c6f-6b8f1f7f2f10";
    const other = "9b2e6c1e-52e6-4c6c-8c6f-6b8f1f7f2f10";
    expect(await idsOf(id, "00000000-52e5-4c6c-8c6f-6b8f1f7f2f10")).toEqual(["9b2e6c1e", "00000000"]);
    expect(await idsOf(id, other)).toEqual(["9b2e6c1e-52e5-4c", "9b2e6c1e-52e6-4c"]);
  });

  async function idsOf(...ids: string[]): Promise<(string | undefined)[]> {
    const lines = await linesOf(
      ids.map((id) => at("2026-10-31T08:00:00+03:00", { id })),
      120,
    );
    return lines.map((line) => line.split(/ {2,}/).at(-1));
  }

  test("an arrow without a start or an end", async () => {
    const ends = await linesOf([
      at("2026-10-31T08:00:00+03:00", { to: null }),
      at("2026-10-31T08:00:00+03:00", { from: null }),
      at("2026-10-31T08:00:00+03:00", { from: null, to: null }),
    ]);
    expect(ends).toEqual(["08:00  9000112233 →", "08:00  → 0560066551200", "08:00"]);
  });
});

describe("texts of every kind", () => {
  const texts: readonly Field[] = [
    { name: "day", kind: "time" },
    { name: "narration", kind: "text" },
    { name: "amount", kind: "amount" },
  ];
  const rows = [
    "Zoë Mwangá",
    "日本語のとても長い摘要、東京から大阪まで、領収書の番号は四十二",
    "😀".repeat(60),
    "مدفوعات الإيجار لشهر أكتوبر من شركة النور للتجارة العامة والمقاولات في دار السلام",
    "x".repeat(10_000),
    "日".repeat(10_000),
    `a${"\u0301".repeat(10_000)}`,
    "",
  ].map((narration) => ({ day: "2026-10-01", narration, amount: "1500.00" }));

  test.each([60, 61, 80, 500])("keep every line within %i columns, with amounts aligned", async (width) => {
    const text = await stdoutOf(rowsReport(texts, rows), { terminal: width, header: false });
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(rows.length);
    for (const line of lines) expect(line).toMatch(/^2026-10-01 .* 1,500\.00$/);
    const widths = lines.filter((line) => !line.includes("\u0301")).map((line) => columnsOf(line));
    expect(new Set(widths).size).toBe(1);
    expect(Math.max(...widths)).toBeLessThanOrEqual(width);
  });

  async function linesOn(terminal: number): Promise<string[]> {
    return (await stdoutOf(rowsReport(texts, rows), { terminal, header: false })).split("\n");
  }

  test("end with an ellipsis when cut, and keep at least 12 columns", async () => {
    expect((await linesOn(60))[1]).toBe("2026-10-01  日本語のとても長い摘要、東京から大阪…   1,500.00");
    expect((await linesOn(1)).slice(4, 7)).toEqual(["2026-10-01", "  日本語のと…", "  1,500.00"]);
  });

  test("are wrapped between words and never cut in a column marked whole", async () => {
    const report = rowsReport(
      [
        { name: "check", kind: "id", role: "what" },
        { name: "detail", kind: "id", role: "what", whole: true },
      ],
      [{ check: "clock", detail: `${"word ".repeat(20)}https://example.com/${"p".repeat(30)} end` }],
    );
    const wide = await stdoutOf(report, { terminal: 66, header: false });
    expect(wide).toBe(
      `clock  ${"word ".repeat(12).trimEnd()}
       ${"word ".repeat(8).trimEnd()}
       https://example.com/${"p".repeat(30)} end
`,
    );
    const narrow = await stdoutOf(report, { terminal: 30, header: false });
    expect(narrow.replaceAll(/\s+/g, " ").trim()).toBe(
      `clock ${"word ".repeat(20)}https://example.com/${"p".repeat(30)} end`,
    );
  });

  test("send no control characters to the terminal, in rows and cards of any width", async () => {
    const some = fc.string({ unit: "binary", maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(some, some, { maxKeys: 3 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 100 }),
        async (anyRows, terminal) => {
          const output = await stdoutOf(rowsReport("fromRows", anyRows), { terminal, header: false });
          expect(output).not.toMatch(/[^\P{Cc}\n]|[\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b]/u);
        },
      ),
      { numRuns: 30 },
    );
  });
});

test("headings are repeated when later rows need another layout; a layout holds 10,000 rows", async () => {
  const few = Array.from({ length: 10_000 }, () => row);
  const wide = { ...row, balance: new Numeral("123456789012.25") };
  const text = await stdoutOf(rowsReport(fields, inBatches([...few, wide], 300)), { terminal: 80 });
  const headings = text.split("\n").flatMap((line, at) => (line.startsWith("day ") ? [at] : []));
  expect(headings).toEqual([0, 10_002]);
});

test("headings are bold on a terminal with colours, and plain in a file", async () => {
  const report = rowsReport([{ name: "a", kind: "text" }], [{ a: "b" }]);
  expect(await stdoutOf(report, { terminal: 80, colour: true })).toBe("\u001b[1ma\u001b[22m\n─\nb\n");
  expect(await stdoutOf(report)).toBe("a\nb\n");
});

/** How many columns a line takes, counted without the program's own table. */
function columnsOf(line: string): number {
  const characters = [...new Intl.Segmenter("en").segment(line)];
  return characters.reduce(
    (sum, { segment }) =>
      sum + (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|、|\p{Emoji_Presentation}/u.test(segment) ? 2 : 1),
    0,
  );
}
