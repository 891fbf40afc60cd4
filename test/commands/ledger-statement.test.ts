import { expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import { statementFormats } from "../../src/statements/formats/encoders.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { now, test } from "../simulated.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const rent: Line = { ref: "A", day: "2026-10-01" };
const fee: Line = { ref: "B", day: "2026-10-05", amount: -30 };

const formats = ["table", "json", "ndjson", "csv", ...statementFormats.map(({ name }) => name)];
const periods = ["--month 2026-03", "--start-date 2026-01-15 --end-date 2026-02-20", "--month 2026-04", "--today"];

test.for(["wallet", "account"] as const)(
  "ledger statement of a %s prints, offline, the same bytes as the service's statement in every format",
  async (kind, { simulator }) => {
    const own = { PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_STATE_DIR: temporaryFolder() };
    const environment = { ...environmentFor(simulator), ...own };
    const ended = async (line: string) => {
      const { exit, stdout, stderr } = await run(words(line), { now, environment });
      return { exit, stdout, stderr };
    };
    const [number = ""] = kind === "wallet" ? simulator.wallets : simulator.accounts;
    const quiet = { exit: 0, stdout: "", stderr: "" };
    expect(await ended("ledger sync --start-date 2026-01-01")).toEqual(quiet);
    expect(await ended(`ledger sync ${number} --start-date 2026-01-01`)).toEqual(quiet);
    expect(await ended("ledger status")).toMatchObject({ exit: 0, stderr: "" });
    const lines = periods.flatMap((period) => formats.map((format) => `${number} ${period} --output ${format}`));
    const served: unknown[] = [];
    for (const line of lines) served.push({ line, ...(await ended(`${kind} statement ${line}`)) });
    await simulator.stop();
    const kept: unknown[] = [];
    for (const line of lines) kept.push({ line, ...(await ended(`ledger statement ${line}`)) });
    expect(kept).toEqual(served);
    expect(await ended("ledger status")).toMatchObject({ exit: 5, stdout: "" });
  },
);

test("a statement for a period that is not wholly in the ledger names the missing days", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: [rent, fee] } });
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  const statement = (day: string, period: string) => desk.onDay(day, `ledger statement ${wallet} ${period} --csv`);
  expect(await statement("2026-10-05", "--this-month")).toMatchObject({ exit: 0, asked: [] });
  expect(await statement("2026-10-05", "--month 2026-10")).toMatchObject({ exit: 0 });
  const later = await statement("2026-10-08", "--start-date 2026-09-20");
  expect(later).toMatchObject({ exit: 9, stdout: "", asked: [] });
  expect(later.stderr).toContain(
    `The ledger lacks days of ${wallet}: 2026-09-20 to 2026-09-30 and 2026-10-05 to 2026-10-08.`,
  );
  expect(later.stderr).toContain(`partner ledger sync ${wallet} --start-date 2026-09-20`);
  expect(await statement("2026-10-08", "--date 2026-10-04")).toMatchObject({ exit: 0 });
  const unknown = await desk.onDay("2026-10-08", "ledger statement 42 --date 2026-10-04");
  expect(unknown).toMatchObject({ exit: 9, stdout: "" });
  expect(unknown.stderr).toContain("The ledger lacks days of 42: 2026-10-04.");
});

const knownThen = "Hint: No sync changes what was known then. To see what is known now, leave --as-of out.\n";

test("a statement with --as-of shows what was known then, whatever has come since", async () => {
  const desk = await ledgerDesk();
  const later: Line = { ref: "C", day: "2026-10-06" };
  desk.write({ [wallet]: { lines: [rent, fee, later] } });
  await desk.onDay("2026-10-06", "ledger sync --start-date 2026-10-01");
  const flags = `${wallet} --start-date 2026-10-01 --end-date 2026-10-06 --json`;
  const before = await desk.onDay("2026-10-06", `ledger statement ${flags}`);
  const changed = { ...fee, narration: "bank fee" };
  desk.write({ [wallet]: { lines: [rent, { ref: "L", day: "2026-10-04", amount: 7 }, changed, later] } });
  await desk.onDay("2026-10-07", "ledger sync");
  const after = await desk.onDay("2026-10-07", `ledger statement ${flags}`);
  expect(JSON.parse(after.stdout)).toMatchObject([
    { tranRefNo: "A", balance: 100 },
    { tranRefNo: "L", balance: 107 },
    { tranRefNo: "B", balance: 77, narration: "bank fee" },
    { tranRefNo: "C", balance: 177 },
  ]);
  const then = "--as-of 2026-10-06T20:00:00+03:00";
  expect(await desk.onDay("2026-10-07", `ledger statement ${flags} ${then}`)).toMatchObject({
    exit: 0,
    stdout: before.stdout,
  });
  const status = await desk.onDay("2026-10-07", `ledger status --json ${then}`);
  expect(status).toMatchObject({ exit: 0, asked: [] });
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 3, closing: 170, live: 170, late: 0, state: "proved" }]);
  const never = await desk.onDay("2026-10-07", `ledger statement ${flags} --as-of 2026-10-01T00:00:00Z`);
  expect(never).toMatchObject({ exit: 9, stdout: "", stderr: expect.stringContaining(knownThen) });
  const figures = "report cash --start-date 2026-10-01 --end-date 2026-10-06 --as-of 2026-10-01T00:00:00Z";
  expect((await desk.onDay("2026-10-07", figures)).stderr).toContain(knownThen);
  const zoneless = await desk.onDay("2026-10-07", `ledger statement ${flags} --as-of 2026-10-06`);
  expect(zoneless).toMatchObject({ exit: 2, stdout: "" });
});

test("an accepted break of the service's own is proved, and a different break at that row is not", async () => {
  const desk = await ledgerDesk();
  const jumping: Line = { ...fee, jump: 5 };
  desk.write({ [wallet]: { lines: [rent, jumping] } });
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  expect(await desk.onDay("2026-10-05", "ledger status")).toMatchObject({ exit: 9 });
  const accept = (reference: string) => `ledger accept ${wallet} --row ${reference} --evidence "ticket 4711" --json`;
  expect(await desk.onDay("2026-10-05", accept("A"))).toMatchObject({ exit: 2, stdout: "" });
  const accepted = await desk.onDay("2026-10-05", accept("B"));
  expect(accepted).toMatchObject({ exit: 0, stderr: "", asked: [] });
  expect(JSON.parse(accepted.stdout)).toMatchObject({ account: wallet, row: "B", gap: 5, evidence: "ticket 4711" });
  const status = await desk.onDay("2026-10-05", "ledger status --json");
  expect(status.exit).toBe(0);
  expect(JSON.parse(status.stdout)).toMatchObject([{ state: "proved", breaksAt: null }]);
  desk.write({ [wallet]: { lines: [rent, { ...jumping, jump: 6 }] } });
  await desk.onDay("2026-10-06", "ledger sync");
  expect(await desk.onDay("2026-10-06", "ledger status")).toMatchObject({ exit: 9 });
});

test("an account whose rows do not lead to its balance is broken until the difference is accepted", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: [rent, fee], balance: 75 } });
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  const broken = await desk.onDay("2026-10-05", "ledger status --json");
  expect(broken.exit).toBe(9);
  expect(JSON.parse(broken.stdout)).toMatchObject([{ closing: 70, live: 75, state: "broken", breaksAt: "B" }]);
  await desk.onDay("2026-10-05", `ledger accept ${wallet} --row B --evidence "5 are held back"`);
  expect(await desk.onDay("2026-10-05", "ledger status")).toMatchObject({ exit: 0 });
});

test("a row of zero that occurs twice does not add up, whatever its balance", async () => {
  const desk = await ledgerDesk();
  const nothing = { ref: "N", day: "2026-10-02", amount: 0 };
  const strict = "wallet statement 9000112233 --month 2026-10 --strict --csv";
  desk.write({ "9000112233": { lines: [{ ref: "A", day: "2026-10-01" }, nothing, nothing] } });
  const ended = await desk.onDay("2026-11-02", strict);
  expect(ended).toMatchObject({ exit: 9, stderr: expect.stringContaining("the same row is there twice") });
  const out = { ref: "T", day: "2026-10-02", amount: 10 };
  desk.write({ "9000112233": { lines: [{ ref: "A", day: "2026-10-01" }, out, { ...out, amount: -10 }, out] } });
  expect(await desk.onDay("2026-11-02", strict)).toMatchObject({ exit: 0 });
});
