import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { serveStatements } from "../statements-served.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// An --as-of view shows the ledger as it once was, never a mixture of two, whatever the clocks said.

const wallet = "9000112233";
const october: readonly Line[] = [{ ref: "O1", day: "2026-10-05", amount: 300 }];
const withLate: readonly Line[] = [...october, { ref: "L", day: "2026-10-20", amount: 1 }];
const statement = `ledger statement ${wallet} --month 2026-10 --csv`;
const lacking = () => ({ exit: 9, stdout: "", stderr: expect.stringContaining("The ledger lacks days") });

/** A sync with a clock that is a day ahead, and a later one with the right clock. @returns views with --as-of */
async function aheadThenRight(environment: Record<string, string> = {}) {
  const { onDay, write } = await ledgerDesk();
  const partner = (day: string, line: string) => onDay(day, line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("2026-11-06", "journal migrate");
  write({ [wallet]: { lines: october } });
  await partner("2026-11-07", "ledger sync --start-date 2026-10-01");
  write({ [wallet]: { lines: withLate } });
  const { stderr } = await partner("2026-11-06", "ledger sync --start-date 2026-10-01");
  const then = (time: string) => (line: string) => partner("2026-11-09", `${line} --as-of ${time}`);
  const [between, ahead, later] = ["2026-11-06T12:00:00Z", "2026-11-07T09:00:00Z", "2026-11-08T12:00:00Z"].map(then);
  return {
    stderr,
    between: [await between?.(statement), await between?.("report cash --month 2026-10 --csv")],
    ahead: [await ahead?.(statement), await ahead?.("ledger status")],
    later: [await later?.(statement), await later?.("ledger status")],
  };
}

const asItOnceWas = () => ({
  stderr: expect.stringContaining("the last sync at 2026-11-07 12:00:00 is still to come."),
  between: [lacking(), { exit: 9, stdout: "" }],
  ahead: [{ exit: 0, stdout: expect.not.stringContaining("\nL,") }, { exit: 0 }],
  later: [{ exit: 0, stdout: expect.stringContaining("\nL,") }, { exit: 0 }],
});

test("--as-of shows the ledger after one of its syncs, even if the clock was ahead at an earlier one", async () => {
  expect(await aheadThenRight()).toMatchObject(asItOnceWas());
});

test("rows of a sync cut off with its clock ahead are known once the next sync has read the rest", async () => {
  const row = { tranRefNo: "A", valueDate: "2026-07-05 10:00:00", amountCredited: 1_000_000, balance: 1_000_000 };
  const service = await serveStatements({
    statements: { [wallet]: [{ debitOrCredit: "CR", ...row }] },
  });
  const environment = { ...service.environment, PARTNER_STATE_DIR: temporaryFolder() };
  const at = (day: string, line: string, signal = new AbortController().signal) =>
    run(words(line), { now: Date.parse(`${day}T09:00:00Z`), environment, host: { signal } });
  const stop = new AbortController();
  const july = service.hold(wallet);
  const cutOff = at("2026-11-07", `ledger sync ${wallet} --start-date 2026-07-01`, stop.signal);
  await july.asked;
  july.release();
  const august = service.hold(wallet);
  await august.asked;
  stop.abort("SIGTERM");
  await cutOff;
  august.release();
  expect(await at("2026-11-06", `ledger sync ${wallet}`)).toMatchObject({ exit: 0 });
  const ofJuly = `ledger statement ${wallet} --month 2026-07 --csv --as-of`;
  expect(await at("2026-11-09", `${ofJuly} 2026-11-06T12:00:00Z`)).toMatchObject(lacking());
  const later = await at("2026-11-09", `${ofJuly} 2026-11-08T12:00:00Z`);
  expect(later).toMatchObject({ exit: 0, stdout: expect.stringContaining("\nA,") });
});

test("a clock that is days ahead removes no rows and claims no future days of the service", async () => {
  const { onDay, write, serviceOn } = await ledgerDesk();
  const lines = [...october, { ref: "N1", day: "2026-11-02", amount: 40 }];
  write({ [wallet]: { lines } });
  serviceOn("2026-11-06");
  expect(await onDay("2026-11-06", "ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0, stderr: "" });
  const ahead = await onDay("2026-11-20", "ledger sync");
  expect(ahead).toMatchObject({
    exit: 0,
    stdout: "",
    stderr: expect.stringContaining(
      "is 14d ahead of the service's. The ledger is read to the day of the clock that is behind.",
    ),
  });
  expect(await onDay("2026-11-20", "ledger status")).toMatchObject({ exit: 0 });
  const changes = await onDay("2026-11-20", "ledger sql --csv 'SELECT kind, reference FROM changes'");
  expect(changes).toMatchObject({ exit: 0, stdout: "kind,reference\n" });
  const beyond = await onDay("2026-11-20", `ledger statement ${wallet} --start-date 2026-11-01 --end-date 2026-11-15`);
  expect(beyond).toMatchObject({ ...lacking(), stderr: expect.stringContaining("2026-11-06 to 2026-11-15") });
  expect(beyond.stderr).toContain("Set the clocks by the network, and read them");
  const report = await onDay("2026-11-20", "report cash --this-month");
  expect(report).toMatchObject({ exit: 9, stderr: expect.stringContaining("still to come by the service's clock") });
  for (const line of ["report cash --month 2026-09", `ledger statement ${wallet} --month 2026-09`]) {
    const before = await onDay("2026-11-20", line);
    expect(before).toMatchObject({ exit: 9, stderr: expect.stringContaining("Hint: Read them first: partner ledger") });
  }
  write({ [wallet]: { lines: [...lines, { ref: "N2", day: "2026-11-10", amount: 7 }] } });
  serviceOn("2026-11-20");
  expect(await onDay("2026-11-20", "ledger sync")).toMatchObject({ exit: 0, stderr: "" });
  const whole = await onDay(
    "2026-11-20",
    `ledger statement ${wallet} --start-date 2026-11-01 --end-date 2026-11-15 --csv`,
  );
  expect(whole).toMatchObject({ exit: 0, stdout: expect.stringContaining("\nN2,") });
});

test("a month is not closed before it has ended by the service's clock", async () => {
  const { onDay, write, serviceOn, folder } = await ledgerDesk();
  write({ [wallet]: { lines: [{ ref: "N1", day: "2026-11-02", amount: 40 }] } });
  serviceOn("2026-11-29");
  const begun = await onDay("2026-12-01", "ledger sync");
  expect(begun).toMatchObject({ exit: 0, stderr: expect.stringContaining("The ledger begins on 2026-11-01;") });
  const close = `close --month 2026-11 --to ${folder}/close`;
  const early = await onDay("2026-12-01", close);
  expect(early).toMatchObject({ exit: 5, stdout: "", stderr: expect.stringContaining("for the whole month") });
  expect(early.stderr).toContain("By the service's clock, the month has not ended yet");
  expect(existsSync(`${folder}/close`)).toBe(false);
  serviceOn("2026-12-01");
  expect(await onDay("2026-12-01", close)).toMatchObject({ exit: 0 });
});

withPostgres("a shared ledger", (server) => {
  test("shows the ledger after one sync with --as-of, even if another host's clock was ahead", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await aheadThenRight(environment)).toMatchObject(asItOnceWas());
  });
});
