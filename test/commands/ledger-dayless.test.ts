import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withPostgres } from "../with-postgres.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const noDay = { more: { valueDate: "" } };
/** Two rows of October have no value date: one in the middle of the month, and one as its last. */
const lines: readonly Line[] = [
  { ref: "A", day: "2026-10-01" },
  { ref: "N", day: "2026-10-01", amount: -7, ...noDay },
  { ref: "B", day: "2026-10-05", amount: -30 },
  { ref: "M", day: "2026-10-31", amount: 11, ...noDay },
  { ref: "C", day: "2026-11-02", amount: 5 },
];

/** A ledger with those rows, local or shared as the environment says. */
async function desk(isNewestFirst: boolean, environment: Record<string, string> = {}) {
  const { onDay, write } = await ledgerDesk();
  write({ [wallet]: { lines, isNewestFirst } });
  const partner = (line: string) => onDay("2026-11-03", line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("journal migrate");
  expect(await partner("ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0 });
  return partner;
}

async function showsEveryRow(partner: Awaited<ReturnType<typeof desk>>) {
  for (const format of ["table", "csv", "json", "hledger"]) {
    const shown = async (command: string) => {
      const { exit, stdout, stderr } = await partner(`${command} ${wallet} --month 2026-10 --output ${format}`);
      return { exit, stdout, stderr };
    };
    const kept = await shown("ledger statement");
    expect(kept).toEqual(await shown("wallet statement"));
  }
  const october = await partner(`ledger statement ${wallet} --month 2026-10 --csv`);
  expect(october.stderr).toContain("4 rows, +111.00 −37.00, closing 74.00, does not add up");
  const november = await partner(`ledger statement ${wallet} --month 2026-11 --csv`);
  expect(november.stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(november.stderr).toContain("1 row, +5.00 −0.00, closing 79.00, adds up");
}

test.for([false, true])(
  "a row without a value date is in the same statement as the row before it, newest first: %s",
  async (isNewestFirst) => {
    const partner = await desk(isNewestFirst);
    await showsEveryRow(partner);
    expect(await partner("ledger status --json")).toMatchObject({ exit: 0 });
  },
);

const cash = `account,opening,in,out,fees,closing,currency,rows
${wallet},0.00,111.00,37.00,0.00,74.00,TZS,4
`;
const byDay = `day,credits,debits,closing
2026-10-01,100.00,7.00,93.00
2026-10-05,11.00,30.00,74.00
2026-11-02,5.00,0.00,79.00
`;

test("figures count a row without a value date on the day of the row before it, and match the statement", async () => {
  const partner = await desk(false);
  expect(await partner("report cash --month 2026-10 --csv")).toMatchObject({ exit: 0, stdout: cash });
  const { stdout } = await partner("report cash --month 2026-10 --by month --csv --columns in,out,closing,rows");
  expect(stdout).toBe("in,out,closing,rows\n111.00,37.00,74.00,4\n");
  expect(await partner('ledger sql "SELECT day, credits, debits, closing FROM days" --csv')).toMatchObject({
    stdout: byDay,
  });
});

/** Two rows at the beginning have no value date, and neither has the one after the first dated row. */
const undatedBeginning: readonly Line[] = [
  { ref: "F", day: "2026-10-01", amount: 3, ...noDay },
  { ref: "G", day: "2026-10-01", amount: 4, ...noDay },
  { ref: "A", day: "2026-10-02" },
  { ref: "N", day: "2026-10-02", amount: -7, ...noDay },
  { ref: "B", day: "2026-10-05", amount: -30 },
];

async function fromTheBeginning(isNewestFirst: boolean, environment: Record<string, string> = {}) {
  const { onDay, write } = await ledgerDesk();
  write({ [wallet]: { lines: undatedBeginning, isNewestFirst } });
  const partner = (line: string) => onDay("2026-11-03", line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("journal migrate");
  await partner("ledger sync --start-date 2026-10-01");
  const october = `${wallet} --month 2026-10 --csv`;
  const [kept, served] = [await partner(`ledger statement ${october}`), await partner(`wallet statement ${october}`)];
  const figures = await partner("report cash --month 2026-10 --csv --columns opening,in,out,closing,rows");
  const days = await partner('ledger sql "SELECT day, opening, credits, debits, closing FROM days" --csv');
  return { kept: kept.stdout, served: served.stdout, figures: figures.stdout, days: days.stdout };
}
const wholeFigures = "opening,in,out,closing,rows\n0.00,107.00,37.00,70.00,5\n";
const wholeDays = `day,opening,credits,debits,closing
2026-10-02,0.00,107.00,7.00,100.00
2026-10-05,100.00,0.00,30.00,70.00
`;

test.for([false, true])(
  "rows without a value date at the beginning count for the first dated row's day, newest first: %s",
  async (isNewestFirst) => {
    const { kept, served, figures, days } = await fromTheBeginning(isNewestFirst);
    expect(kept).toBe(served);
    expect(figures).toBe(wholeFigures);
    expect(days).toBe(wholeDays);
  },
);

test("an account whose rows all lack a value date is shown in full, and said not to add up", async () => {
  const { onDay, write } = await ledgerDesk();
  const undated = lines.map((line) => ({ ...line, ...noDay }));
  write({ [wallet]: { lines: undated } });
  await onDay("2026-11-03", "ledger sync --start-date 2026-10-01");
  const { stdout, stderr } = await onDay("2026-11-03", `ledger statement ${wallet} --month 2026-10 --csv`);
  expect(stdout.trimEnd().split("\n")).toHaveLength(1 + lines.length);
  expect(stderr).toContain("does not add up");
});

test("a row without a value date between two months is named by the close of each", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  write({ [wallet]: { lines: [...lines, { ref: "D", day: "2026-12-01", amount: 1 }] } });
  const close = (month: string) => onDay("2027-01-02", `close --month ${month} --to ${join(folder, month)}`);
  await onDay("2027-01-02", "ledger sync --start-date 2026-09-01");
  const named = `${wallet}: row M has no value date, and counts for 2026-10-05 with the row before it.`;
  for (const month of ["2026-10", "2026-11"]) {
    const ended = await close(month);
    expect(ended).toMatchObject({ exit: 0, stderr: expect.stringContaining(named) });
    expect(ended.stderr).not.toContain("row N");
    expect(readFileSync(join(folder, month, "close.html"), "utf8")).toContain(named);
  }
  expect((await close("2026-12")).stderr).not.toContain("no value date");
});

/** A month is closed, and then a late row without a value date comes among those of the month. */
async function closesThenComesLate(environment: Record<string, string> = {}) {
  const { onDay, write, folder } = await ledgerDesk();
  const partner = (day: string, line: string) => onDay(day, line, { environment });
  const dated = lines.filter(({ more }) => more === undefined);
  write({ [wallet]: { lines: dated } });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("2026-11-03", "journal migrate");
  await partner("2026-11-03", "ledger sync --start-date 2026-09-01");
  expect(await partner("2026-11-03", `close --month 2026-10 --to ${join(folder, "october")}`)).toMatchObject({
    exit: 0,
  });
  expect(await partner("2026-11-03", "ledger status")).toMatchObject({ exit: 0 });
  write({ [wallet]: { lines: lines.filter(({ ref }) => ref !== "M") } });
  await partner("2026-11-04", "ledger sync");
  return partner("2026-11-04", "ledger status");
}

const reopened = {
  exit: 9,
  stderr: expect.stringContaining(`The closed month 2026-10 has changed: ${wallet} N came late.`),
};

test("a row without a value date that comes late in a closed month is named", async () => {
  expect(await closesThenComesLate()).toMatchObject(reopened);
});

/** Payments as the service shows them while one has no value date yet, and how it shows that payment later. */
const [before, waiting, after] = [
  { ref: "A", day: "2026-10-02" },
  { ref: "P", day: "2026-10-04", amount: 5 },
  { ref: "B", day: "2026-10-05", amount: 3 },
] as const;
interface Later {
  readonly lines: readonly Line[];
  readonly change: "changed" | "vanished";
}
const laterOn: Readonly<Record<string, Later>> = {
  "gets its value date": { lines: [before, waiting, after], change: "changed" },
  "gets a value date behind the rows after it": {
    lines: [before, after, { ...waiting, day: "2026-10-06" }],
    change: "changed",
  },
  "gets other words": { lines: [before, { ...waiting, ...noDay, narration: "deposit" }, after], change: "changed" },
  "is no longer shown": { lines: [before, after], change: "vanished" },
};

/** The rows before the change, read and closed; then the later rows, read and compared. */
async function showsLater(lines: readonly Line[], environment: Record<string, string> = {}) {
  const { onDay, write, folder } = await ledgerDesk();
  const partner = (day: string, line: string) => onDay(day, line, { environment });
  write({ [wallet]: { lines: [before, { ...waiting, ...noDay }, after] } });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("2026-11-03", "journal migrate");
  const close = (day: string) => partner(day, `close --month 2026-10 --to ${join(folder, "october")}`);
  expect(await close("2026-11-03")).toMatchObject({ exit: 0 });
  write({ [wallet]: { lines } });
  expect(await partner("2026-11-04", "ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0, stderr: "" });
  const closed = await partner("2026-11-04", "ledger status");
  const again = [(await close("2026-11-04")).exit, (await close("2026-11-04")).exit];
  const of = async (line: string) => (await partner("2026-11-04", line)).stdout;
  const october = `statement ${wallet} --month 2026-10 --csv`;
  return {
    closed,
    again,
    status: await partner("2026-11-04", "ledger status --csv --columns rows,closing,state"),
    changes: await of('ledger sql "SELECT kind, reference FROM changes" --csv'),
    isServed: (await of(`ledger ${october}`)) === (await of(`wallet ${october}`)),
    before: await of(`ledger ${october} --as-of 2026-11-03T20:00:00Z`),
  };
}

function oneChange({ lines, change }: Later) {
  const closing = lines.reduce((sum, { amount = 100 }) => sum + amount, 0).toFixed(2);
  return {
    closed: { exit: 9, stderr: expect.stringContaining(`${wallet} P ${change}.`) },
    again: [9, 0],
    status: { exit: 0, stdout: `rows,closing,state\n${lines.length},${closing},proved\n` },
    changes: `kind,reference\n${change},P\n`,
    isServed: true,
    before: expect.stringContaining("\nP,,"),
  };
}

test.for(Object.entries(laterOn))(
  "a row without a value date that later %s is one change, and counts once",
  async ([, later]) => {
    expect(await showsLater(later.lines)).toMatchObject(oneChange(later));
  },
);

test("a row without a value date that is not shown any more is kept when the balances need it", async () => {
  const { onDay, write } = await ledgerDesk();
  write({ [wallet]: { lines: [before, { ...waiting, ...noDay }, after] } });
  await onDay("2026-11-03", "ledger sync --start-date 2026-10-01");
  write({ [wallet]: { lines: [before, { ...waiting, isHidden: true }, after] } });
  await onDay("2026-11-04", "ledger sync --start-date 2026-10-01");
  expect(await onDay("2026-11-04", "ledger status --csv --columns rows,late,changed,state")).toMatchObject({
    exit: 0,
    stdout: "rows,late,changed,state\n3,0,0,proved\n",
  });
});

/** The first and last rows of a ledger have no value date, and the service no longer shows them. */
async function losesItsEnds(environment: Record<string, string> = {}) {
  const { onDay, write } = await ledgerDesk();
  const partner = (day: string, line: string) => onDay(day, line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("2026-11-03", "journal migrate");
  write({ [wallet]: { lines: [{ ...waiting, ...noDay }, before, after, { ...waiting, ref: "Q", ...noDay }] } });
  await partner("2026-11-03", "ledger sync --start-date 2026-10-01");
  write({ [wallet]: { lines: [before, after] } });
  await partner("2026-11-04", "ledger sync --start-date 2026-10-01");
  return partner("2026-11-04", "ledger status --csv --columns rows,closing,changed,state");
}

const withoutEnds = { exit: 0, stdout: "rows,closing,changed,state\n2,103.00,2,proved\n" };

test("rows without a value date at both ends of a ledger that vanish no longer count", async () => {
  expect(await losesItsEnds()).toMatchObject(withoutEnds);
});

/** Rows without a value date that a later reading omits, and what it shows instead. */
const fee: Line = { ref: "", day: "2026-10-04", amount: -5, narration: "SERVICE FEE" };
const payment: Line = { ref: "P", day: "2026-10-04", amount: 5, ...noDay };
const back: Line = { ref: "Q", day: "2026-10-04", amount: -5, ...noDay };
const hidden = (line: Line): Line => ({ ...line, isHidden: true });
const waitingFee = { ...fee, ...noDay };
const leftOut: Readonly<Record<string, { readonly held: readonly Line[]; readonly shown: readonly Line[] }>> = {
  "an equal payment with a value date comes later": {
    held: [before, waitingFee, after],
    shown: [before, hidden(waitingFee), after, fee],
  },
  "the first of two equal ones gets its value date": {
    held: [before, waitingFee, waitingFee, after],
    shown: [before, fee, hidden(waitingFee), after],
  },
  "the second of two equal ones gets its value date": {
    held: [before, waitingFee, waitingFee, after],
    shown: [before, hidden(waitingFee), fee, after],
  },
  "another one that moved as much gets its value date behind the rows after it": {
    held: [before, { ...payment, ref: "R" }, payment, after],
    shown: [before, hidden({ ...payment, ref: "R" }), after, { ...payment, more: {} }],
  },
  "another one that is left out as well reverses what it moved": {
    held: [before, payment, back, after],
    shown: [before, hidden(payment), hidden(back), after],
  },
};

test.for(Object.entries(leftOut))(
  "a row without a value date that a reading omits is kept when %s",
  async ([, { held, shown }]) => {
    const { onDay, write } = await ledgerDesk();
    write({ [wallet]: { lines: held } });
    await onDay("2026-11-03", "ledger sync --start-date 2026-10-01");
    write({ [wallet]: { lines: shown } });
    await onDay("2026-11-04", "ledger sync --start-date 2026-10-01");
    const closing = shown.reduce((sum, { amount = 100 }) => sum + amount, 0).toFixed(2);
    expect(await onDay("2026-11-04", "ledger status --csv --columns rows,closing,state")).toMatchObject({
      exit: 0,
      stdout: `rows,closing,state\n${shown.length},${closing},proved\n`,
    });
  },
);

/** A row is missing after one without a value date, and appears long after later days were read. */
async function turnsUp(environment: Record<string, string> = {}) {
  const { onDay, write } = await ledgerDesk();
  const partner = (day: string, line: string) => onDay(day, line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("2026-10-06", "journal migrate");
  const missing: Line = { ref: "X", day: "2026-10-04", amount: 9 };
  const rows = (isHidden: boolean) => [before, { ...waiting, ...noDay }, { ...missing, isHidden }, after];
  write({ [wallet]: { lines: rows(true) } });
  await partner("2026-10-06", "ledger sync --start-date 2026-10-01");
  const broken = await partner("2026-10-06", "ledger status");
  const later = { ref: "C", day: "2026-10-18" };
  write({ [wallet]: { lines: [...rows(true), later] } });
  await partner("2026-10-19", "ledger sync");
  write({ [wallet]: { lines: [...rows(false), later] } });
  await partner("2026-10-20", "ledger sync");
  return { broken, status: await partner("2026-10-20", "ledger status --csv --columns rows,late,state") };
}

const turnedUp = { broken: { exit: 9 }, status: { exit: 0, stdout: "rows,late,state\n5,1,proved\n" } };

test("a sync looks for a row that is missing after one without a value date until it appears", async () => {
  expect(await turnsUp()).toMatchObject(turnedUp);
});

withPostgres("a shared ledger", (server) => {
  test("no longer counts vanished rows without a value date at both ends", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await losesItsEnds(environment)).toMatchObject(withoutEnds);
  });

  test("is searched at each sync for a row that is missing after one without a value date", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await turnsUp(environment)).toMatchObject(turnedUp);
  });

  test.for(Object.entries(laterOn))(
    "records a row that later %s as one change, and counts it once",
    async ([, later]) => {
      const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
      expect(await showsLater(later.lines, environment)).toMatchObject(oneChange(later));
    },
  );

  test("names a row without a value date that comes late in a closed month", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await closesThenComesLate(environment)).toMatchObject(reopened);
  });

  test("counts rows without a value date at the beginning for the first dated row's day", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    const { kept, served, figures, days } = await fromTheBeginning(true, environment);
    expect(kept).toBe(served);
    expect(figures).toBe(wholeFigures);
    expect(days).toBe(wholeDays);
  });

  test("has rows without a value date in its statements and figures", async () => {
    const environment = {
      PARTNER_JOURNAL_URL: await server.newDatabase(),
      PARTNER_CONFIG_DIR: temporaryFolder(),
    };
    const partner = await desk(true, environment);
    await showsEveryRow(partner);
    expect(await partner("report cash --month 2026-10 --csv")).toMatchObject({ exit: 0, stdout: cash });
  });
});
