import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const other = "9000112244";

const lines: readonly Line[] = [
  { ref: "A", day: "2026-10-01", amount: 1000, narration: "0712345678 fees" },
  { ref: "A-PAYIN", day: "2026-10-01", amount: -20, narration: "SERVICE FEE FOR REF:A TXNID:T" },
  { ref: "T1", day: "2026-10-05", amount: -300, narration: "Float [T-1]" },
  { ref: "P", day: "2026-10-12", amount: -100.5, narration: "Payout" },
  { ref: "P-PAYOUT", day: "2026-10-12", amount: -1.25, narration: "SERVICE FEE FOR REF:P TXNID:T" },
  { ref: "P-PAYOUT", day: "2026-10-13", amount: 1.25, narration: "SERVICE FEE FOR REF:P given back" },
  { ref: "B", day: "2026-11-02", amount: 500, narration: "+255 712 345 678 fees" },
];
const others: readonly Line[] = [{ ref: "T2", day: "2026-10-05", amount: 300, narration: "Float [T-1]" }];

/** A desk with a ledger synced on 3 November from 1 October on. */
async function desk() {
  const made = await ledgerDesk();
  made.write({ [wallet]: { lines }, [other]: { lines: others } });
  await made.onDay("2026-11-03", "ledger sync --start-date 2026-10-01");
  const report = (line: string, day = "2026-11-03") => made.onDay(day, `report ${line}`);
  return { ...made, report };
}

describe("cash", () => {
  test("shows opening + in − out − fees = closing for every account, with its age and a total", async () => {
    const { report } = await desk();
    const csv = await report("cash --month 2026-10 --csv");
    expect(csv).toMatchObject({ exit: 0, asked: [] });
    expect(csv.stdout).toBe(`account,opening,in,out,fees,closing,currency,rows
9000112233,0.00,1000.00,400.50,20.00,579.50,TZS,6
9000112244,0.00,300.00,0.00,0.00,300.00,TZS,1
`);
    expect(csv.stderr).toBe("Period: 2026-10-01 to 2026-10-31\nFrom the ledger, as of 2026-11-03 12:00:00.\n");
    expect((await report("cash --month 2026-10")).stdout).toContain(
      "\ntotal TZS: opening 0.00, in 1,300.00, out 400.50, fees 20.00, closing 879.50\n",
    );
  });

  test("--by week, month or day shows intervals that continue each other", async () => {
    const { report } = await desk();
    const weeks = await report(
      `cash --month 2026-10 --by week --account ${wallet} --csv --columns period,opening,in,out,fees,closing`,
    );
    expect(weeks.stdout).toBe(`period,opening,in,out,fees,closing
2026-09-28,0.00,1000.00,0.00,20.00,980.00
2026-10-05,980.00,0.00,300.00,0.00,680.00
2026-10-12,680.00,0.00,100.50,0.00,579.50
2026-10-19,579.50,0.00,0.00,0.00,579.50
2026-10-26,579.50,0.00,0.00,0.00,579.50
`);
    const months = await report(
      `cash --start-date 2026-10-01 --by month --account ${wallet} --csv --columns period,opening,closing`,
    );
    expect(months.stdout).toBe("period,opening,closing\n2026-10,0.00,579.50\n2026-11,579.50,1079.50\n");
    const days = await report(`cash --month 2026-10 --by day --account ${wallet} --csv --columns period --no-header`);
    expect(days.stdout.trimEnd().split("\n")).toHaveLength(31);
  });

  test("ends with 9 when days are missing or the rows do not add up", async () => {
    const { report, write, onDay } = await desk();
    const before = await report("cash --month 2026-09");
    expect(before).toMatchObject({ exit: 9, stdout: "" });
    expect(before.stderr).toContain("9000112233: 2026-09-01 to 2026-09-30");
    expect(before.stderr).toContain("partner ledger sync --start-date 2026-09-01");
    const after = await report("cash --month 2026-11", "2026-11-20");
    expect(after).toMatchObject({ exit: 9, stdout: "" });
    write({ [wallet]: { lines: [...lines, { ref: "J", day: "2026-11-04", jump: 7 }] }, [other]: { lines: others } });
    await onDay("2026-11-04", "ledger sync");
    const broken = await report("cash --month 2026-11 --csv", "2026-11-04");
    expect(broken.exit).toBe(9);
    expect(broken.stderr).toContain("Error: The rows do not add up: 9000112233.");
    expect(broken.stdout).toContain("\n9000112233,");
  });

  test.for(["flow", "fees", "customers", "flow --rows", "cash --rows"])(
    "and %s end with 9 when the rows do not add up",
    async (line) => {
      const { report, write, onDay } = await desk();
      const jump = { ref: "J", day: "2026-11-04", jump: 7 };
      write({ [wallet]: { lines: [...lines, jump] }, [other]: { lines: others } });
      await onDay("2026-11-04", "ledger sync");
      const { exit, stderr } = await report(`${line} --month 2026-11 --csv`, "2026-11-04");
      expect(stderr).toContain("Error: The rows do not add up: 9000112233.");
      expect(exit).toBe(9);
      expect(await report(`${line} --month 2026-10 --csv`, "2026-11-04")).toMatchObject({ exit: 0 });
    },
  );

  test("ends with 9 for two gaps that cancel out, but only in their own month", async () => {
    const { report, write, onDay } = await desk();
    const jumps = [
      { ref: "J", day: "2026-11-02", jump: 7 },
      { ref: "K", day: "2026-11-03", jump: -7 },
    ];
    write({ [wallet]: { lines: [...lines, ...jumps] }, [other]: { lines: others } });
    await onDay("2026-11-04", "ledger sync");
    for (const line of ["cash", "cash --by day", "flow", "fees", "customers", "flow --rows"]) {
      const { exit, stderr } = await report(`${line} --month 2026-11 --csv`, "2026-11-04");
      expect([line, exit]).toEqual([line, 9]);
      expect(stderr).toContain("Error: The rows do not add up: 9000112233.");
    }
    expect(await report("cash --month 2026-10 --csv", "2026-11-04")).toMatchObject({ exit: 0 });
  });

  test("names missing days once for many accounts", async () => {
    const { write, onDay } = await ledgerDesk();
    const numbers = ["1", "2", "3", "4", "5"];
    write(Object.fromEntries(numbers.map((number) => [number, { lines }])));
    await onDay("2026-11-04", "ledger sync");
    const { stderr } = await onDay("2026-11-04", "report cash --month 2026-10");
    expect(stderr).toContain("The ledger lacks days of the period. 5 accounts: 2026-10-01 to 2026-10-31.\n");
  });

  test("ends with 9 for an empty ledger or an unknown account", async () => {
    const { onDay } = await ledgerDesk();
    expect((await onDay("2026-11-03", "report cash --month 2026-10")).stderr).toContain("partner ledger sync\n");
    const { report } = await desk();
    const unknown = await report("cash --month 2026-10 --account 4711");
    expect(unknown).toMatchObject({ exit: 9, stdout: "" });
    expect(unknown.stderr).toContain('The ledger does not hold the account "4711".');
  });
});

test("flow shows why money moved: a transfer between own wallets nets to zero", async () => {
  const { report } = await desk();
  expect((await report("flow --month 2026-10 --csv")).stdout).toBe(`period,kind,count,in,out,net,currency
2026-10-01,collection,1,1000.00,0.00,1000.00,TZS
2026-10-01,fee,1,0.00,20.00,-20.00,TZS
2026-10-05,own transfer,2,300.00,300.00,0.00,TZS
2026-10-12,payout,1,0.00,100.50,-100.50,TZS
2026-10-12,fee,1,0.00,1.25,-1.25,TZS
2026-10-13,fee,1,1.25,0.00,1.25,TZS
`);
});

test("--account still recognises a transfer between own wallets", async () => {
  const { report } = await desk();
  for (const account of [wallet, other]) {
    const flow = await report(`flow --month 2026-10 --by month --account ${account} --csv`);
    expect(flow.stdout).toMatch(/^2026-10,own transfer,1,/m);
    expect((await report(`open --month 2026-10 --account ${account} --csv`)).stdout).not.toContain(",T1,");
  }
});

test("fees are counted by kind and account, as a percentage of their payments", async () => {
  const { report } = await desk();
  expect((await report("fees --month 2026-10 --csv")).stdout).toBe(`account,kind,count,sum,amounts,percent,currency
9000112233,collection,1,20.00,1000.00,2.00,TZS
9000112233,payout,2,0.00,100.50,0.00,TZS
`);
});

test("customers are recognised by the phone number in the narration, in any spelling", async () => {
  const { report } = await desk();
  const line = "customers --start-date 2026-10-01 --csv";
  expect((await report(line)).stdout).toBe("name,number,count,sum,currency\n,255712345678,2,1500.00,TZS\n");
  expect((await report(`${line} --by month`)).stdout).toBe(
    "period,name,number,count,sum,currency\n2026-10,,255712345678,1,1000.00,TZS\n2026-11,,255712345678,1,500.00,TZS\n",
  );
});

test("compare shows cash and fees of both months, the difference and the percentage", async () => {
  const { report } = await desk();
  const { exit, stdout, stderr } = await report(`compare 2026-10 2026-11 --account ${wallet} --csv`);
  expect(exit).toBe(0);
  expect(stdout).toBe(`account,figure,first,second,difference,percent,currency
9000112233,opening,0.00,579.50,579.50,,TZS
9000112233,in,1000.00,500.00,-500.00,-50.00,TZS
9000112233,out,400.50,0.00,-400.50,-100.00,TZS
9000112233,fees,20.00,0.00,-20.00,-100.00,TZS
9000112233,closing,579.50,1079.50,500.00,86.28,TZS
9000112233,fees: collection,20.00,0.00,-20.00,-100.00,TZS
9000112233,fees: payout,0.00,0.00,0.00,,TZS
`);
  expect(stderr).toContain("Periods: 2026-10-01 to 2026-10-31, and 2026-11-01 to 2026-11-30");
});

test("open shows money that left without an order, oldest first", async () => {
  const { report } = await desk();
  const { exit, stdout } = await report(
    "open --start-date 2026-10-01 --csv --columns state,kind,reference,amount,ageDays",
  );
  expect(exit).toBe(0);
  expect(stdout).toBe("state,kind,reference,amount,ageDays\nunmatched,row,P,-100.50,22\n");
  expect(await report("open --date 2026-10-01")).toMatchObject({ exit: 0, stdout: "" });
});

test("open and compare print their periods, and compare notes days in the future", async () => {
  const { report } = await desk();
  expect((await report("open --csv")).stderr).toContain("Period: 2026-10-04 to 2026-11-03\n");
  const { stderr } = await report("compare 2026-10 2026-12 --csv");
  expect(stderr).toContain("Periods: 2026-10-01 to 2026-10-31, and 2026-12-01 to 2026-12-31\n");
  expect(stderr).toMatch(/2026-12-01.*future/);
});

function cents(text = ""): bigint {
  return BigInt(text.replace(".", ""));
}

test("--rows shows the rows behind each figure, which add up to it", async () => {
  const { report } = await desk();
  const cells = async (line: string) => {
    const { stdout } = await report(`${line} --month 2026-10 --csv --no-header`);
    return stdout
      .trimEnd()
      .split("\n")
      .map((row) => row.split(","));
  };
  const sums = (rows: readonly string[][]) => {
    const all: Record<string, bigint> = {};
    for (const [name = "", amount] of rows) all[name] = (all[name] ?? 0n) + cents(amount);
    return all;
  };
  const figures = (rows: readonly string[][]) =>
    Object.fromEntries(
      rows.map(([name, plus, ...minus]) => [name, minus.reduce((rest, less) => rest - cents(less), cents(plus))]),
    );
  expect(sums(await cells("cash --rows --columns account,amount"))).toEqual(
    figures(await cells("cash --columns account,closing,opening")),
  );
  expect(sums(await cells("cash --rows --columns account,amount"))).toEqual(
    figures(await cells("cash --columns account,in,out,fees")),
  );
  expect(sums(await cells("flow --rows --columns kind,amount"))).toEqual(
    figures(await cells("flow --by month --columns kind,net")),
  );
  const behindFees = await cells("fees --rows --columns kind,amount");
  const [collection, payout] = await cells("fees --columns sum,amounts");
  expect(sums(behindFees)).toEqual({
    collection: cents(collection?.[1]),
    payout: -cents(payout?.[1]),
    fee: -cents(collection?.[0]) - cents(payout?.[0]),
  });
  expect(sums(await cells("customers --rows --columns account,amount"))).toEqual({
    [wallet]: cents((await cells("customers --columns sum"))[0]?.[0]),
  });
  expect((await report("fees --month 2026-10 --rows --csv --columns reference,kind,amount,balance")).stdout)
    .toBe(`reference,kind,amount,balance
A,collection,1000.00,1000.00
A-PAYIN,fee,-20.00,980.00
P,payout,-100.50,579.50
P-PAYOUT,fee,-1.25,578.25
P-PAYOUT,fee,1.25,579.50
`);
  expect((await report("customers --month 2026-10 --rows --json")).stdout).toContain('"amount": 1000.00');
});

describe("an HTML page", () => {
  test("has the figures, their age and a bar for each, and loads nothing", async () => {
    const { report, folder } = await desk();
    const path = join(folder, "cash.html");
    const saved = await report(`cash --month 2026-10 --save ${path} --quiet`);
    expect(saved).toMatchObject({ exit: 0, stdout: "" });
    const page = readFileSync(path, "utf8");
    expect((await report("cash --month 2026-10 --output html --chart")).stdout).toBe(page);
    expect(page).toContain("default-src 'none'");
    expect(page.match(/(?:src|href|url)\s*[=(]/g)).toBeNull();
    const cells = [...page.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, cell]) => cell);
    const rows = [
      [wallet, "0.00", "1,000.00", "400.50", "20.00", "579.50", "TZS", "6"],
      [other, "0.00", "300.00", "0.00", "0.00", "300.00", "TZS", "1"],
    ];
    expect(cells).toEqual(rows.flat());
    const bars = [...page.matchAll(/<rect class="([^"]+)" x="[\d.]+" y="\d+" width="([\d.]+)"/g)];
    const [one, two] = bars.map(([, , width]) => Number(width));
    expect([bars.length, Math.round((100 * (two ?? 0)) / (one ?? 1))]).toEqual([2, Math.round((100 * 300) / 579.5)]);
    expect(page).toContain("2026-11-03 12:00:00");
    expect(page).toContain("total TZS: opening 0.00, in 1,300.00, out 400.50, fees 20.00, closing 879.50");
  });

  test("exists for every report, and escapes the texts of rows", async () => {
    const made = await desk();
    made.write({
      [wallet]: { lines: [...lines, { ref: "X", day: "2026-11-02", narration: "<script>alert(1)</script>" }] },
    });
    await made.onDay("2026-11-03", "ledger sync --start-date 2026-10-01 --quiet");
    for (const line of ["cash", "flow --by week", "fees", "customers", "cash --rows"]) {
      const { exit, stdout } = await made.report(`${line} --start-date 2026-10-01 --output html --quiet`);
      expect({ line, exit }).toEqual({ line, exit: 0 });
      expect(stdout).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
      expect(stdout).not.toContain("<script");
    }
    for (const line of ["open", "compare 2026-10 2026-11"])
      expect((await made.report(`${line} --output html --quiet`)).stdout).toContain("</html>");
    expect(await made.report("cash --month 2026-10 --output html --where 'rows>1'")).toMatchObject({
      exit: 2,
      stdout: "",
    });
  });
});

test("--chart draws bars under the table", async () => {
  const { report } = await desk();
  const { stdout } = await report(`cash --start-date 2026-10-01 --by month --account ${wallet} --chart`);
  expect(stdout).toContain(
    `closing:\n2026-10 9000112233   ${"█".repeat(21)}\n2026-11 9000112233   ${"█".repeat(40)}\n`,
  );
});

test("--chart draws at most 100 bars, and the table keeps every row", async () => {
  const made = await ledgerDesk();
  made.write({ [wallet]: { lines: [{ ref: "A", day: "2026-07-01" }] } });
  await made.onDay("2026-11-03", "ledger sync --start-date 2026-07-01");
  const line = "cash --start-date 2026-07-01 --end-date 2026-10-09 --by day";
  const { stdout } = await made.onDay("2026-11-03", `report ${line} --chart`);
  const [table = "", bars = ""] = stdout.split("\nclosing:\n");
  expect(table).toContain("\n2026-10-09 ");
  expect(bars.trimEnd().split("\n")).toHaveLength(100);
  expect(bars.trimEnd().endsWith(`\n2026-10-08 ${wallet}   ${"█".repeat(40)}`)).toBe(true);
});

test.each([
  ["cash", "No period is given."],
  ["compare", "compare takes two months."],
  ["compare 2026-10", "compare takes two months."],
  ["compare 2026-10 2026-13", 'MONTH "2026-13" isn\'t a valid month.\nHint: Write it like 2026-10: year-month.\n'],
  ["compare october 2026-13", 'MONTH "october" isn\'t a valid month. MONTH "2026-13" isn\'t a valid month.\n'],
  ["compare 2026-10 2026-11 --by day", "has no use for --by"],
  ["cash 2026-10", "Months are named with compare only."],
  ["open --rows", "has no use for --rows"],
  ["cash --month 2026-10 --chart --csv", "has no use for --chart without a table or a page"],
  ["profit --month 2026-10", "NAME takes one of cash, flow, fees, customers, open, compare."],
  ["cash --month 2026-10 --by year", "--by takes one of day, week, month."],
])("report %s ends with 2", async (line, message) => {
  const { report } = await desk();
  const { exit, stdout, stderr } = await report(line);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain(message);
});

test("an account with very long amounts is shown as a card, and the others stay a table", async () => {
  const { write, onDay } = await desk();
  const large: Line = { ref: "L", day: "2026-10-02", amount: 9_007_199_254_740_991 };
  write({ [wallet]: { lines: [large] }, [other]: { lines: others }, "9000112222": { lines: others } });
  await onDay("2026-11-03", "ledger sync --start-date 2026-10-01");
  const at80 = { terminal: { stdout: true }, columns: 80, environment: { NO_COLOR: "1" } };
  const { stdout } = await onDay("2026-11-03", "report cash --month 2026-10", at80);
  expect(stdout.slice(0, stdout.indexOf("total"))).toBe(`9000112233
  opening (TZS)                      0.00
  in (TZS)       9,007,199,254,740,991.00
  out (TZS)                          0.00
  fees (TZS)                         0.00
  closing (TZS)  9,007,199,254,740,991.00

account     opening      in   out  fees  closing  currency  rows
──────────  ───────  ──────  ────  ────  ───────  ────────  ────
9000112244     0.00  300.00  0.00  0.00   300.00  TZS          1
9000112222     0.00  300.00  0.00  0.00   300.00  TZS          1
`);
});
