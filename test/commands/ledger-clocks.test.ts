import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { serveStatements } from "../statements-served.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// What was known at some time is a ledger as it once was, never a mixture of two, whatever clocks have said.

const wallet = "9000112233";
const october: readonly Line[] = [{ ref: "O1", day: "2026-10-05", amount: 300 }];
const withLate: readonly Line[] = [...october, { ref: "L", day: "2026-10-20", amount: 1 }];
const statement = `ledger statement ${wallet} --month 2026-10 --csv`;
const lacking = () => ({ exit: 9, stdout: "", stderr: expect.stringContaining("The ledger lacks days") });

/** A sync while the clock is a day ahead, and a later one when it is right. @returns what was known then */
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

test("what was known then is the ledger after one of its syncs, though the clock was ahead at an earlier one", async () => {
  expect(await aheadThenRight()).toMatchObject(asItOnceWas());
});

test("rows of a sync that was cut off while the clock was ahead are known when the next sync has read the others", async () => {
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

withPostgres("a shared ledger", (server) => {
  test("what was known then is the shared ledger after one sync, though another host's clock was ahead", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await aheadThenRight(environment)).toMatchObject(asItOnceWas());
  });
});
