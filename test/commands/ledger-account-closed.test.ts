import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { start } from "../host/servers.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import type { Line, WalletBooks } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const [shop, till] = ["9000112233", "9000112244"];
const october: readonly Line[] = [
  { ref: "A", day: "2026-10-01" },
  { ref: "B", day: "2026-10-05", amount: -30 },
];
const own: WalletBooks = { lines: [{ ref: "S", day: "2026-10-02", amount: 500 }] };
const accept = `ledger accept ${till} --account-closed --evidence "letter 17"`;
const word = `${till}: the account is closed. The ledger holds it to 2026-10-06, and later rows cannot be read.`;

/** A ledger of two wallets; the service no longer has one of them after the 6th. */
async function desk(books: WalletBooks = { lines: october }) {
  const of = await ledgerDesk();
  const ask = async (line: string, day = "2026-11-02") => of.onDay(day, line);
  of.write({ [shop]: own, [till]: books });
  expect(await ask("ledger sync --start-date 2026-10-01", "2026-10-06")).toMatchObject({ exit: 0 });
  of.write({ [shop]: own });
  return {
    ...of,
    ask,
    returns: (lines: readonly Line[]) => of.write({ [shop]: own, [till]: { lines } }),
    close: (month: string, day: string, flags = "") =>
      ask(`close --month ${month} --to ${join(of.folder, `close-${month}`)} ${flags}`.trim(), day),
    status: async (flags = "", day = "2026-11-02") => {
      const { exit, stdout, stderr } = await of.onDay(day, `ledger status --json ${flags}`.trim());
      return { exit, stderr, accounts: JSON.parse(stdout) as unknown };
    },
  };
}

test("a sync without an account says how to accept its closure, and then reads the others and exits with 0", async () => {
  const { ask, status } = await desk();
  const missed = await ask("ledger sync");
  expect(missed).toMatchObject({ exit: 5 });
  expect(missed.stderr).toContain(
    `If the account was closed: partner ledger accept ${till} --account-closed --evidence TEXT`,
  );
  expect(await ask(`${accept} --json`)).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('"evidence": "letter 17"'),
    stderr: "",
  });
  expect(await ask("ledger sync")).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  const proved = await status();
  expect(proved).toMatchObject({
    exit: 0,
    accounts: [
      { account: shop, state: "proved" },
      { account: till, to: "2026-10-06", rows: 2, closing: 70, live: null, state: "proved" },
    ],
  });
  expect(proved.stderr).toMatch(new RegExp(`${word} \\S+ accepted this on 2026-11-02 12:00:00: letter 17\\.`));
});

test("later months can be closed after the closure of an account, and each names who accepted it", async () => {
  const { ask, close, folder } = await desk();
  expect(await close("2026-10", "2026-11-02")).toMatchObject({ exit: 5 });
  expect(existsSync(join(folder, "close-2026-10"))).toBe(false);
  await ask(accept);
  for (const [month, day] of [
    ["2026-10", "2026-11-02"],
    ["2026-11", "2026-12-02"],
  ] as const) {
    expect(await close(month, day)).toMatchObject({ exit: 0, stderr: expect.stringContaining(word) });
    expect(readFileSync(join(folder, `close-${month}`, "close.html"), "utf8")).toContain(word);
  }
  const cash = await ask("report cash --month 2026-11 --csv", "2026-12-02");
  expect(cash).toMatchObject({ exit: 0, stderr: expect.stringContaining(word) });
  expect(cash.stdout).toContain(`${till},70.00,0.00,0.00,0.00,70.00,TZS`);
});

test("a statement over days after a closure is printed, with a note that these days were not read", async () => {
  const { ask } = await desk();
  const statement = `ledger statement ${till} --month 2026-10 --csv`;
  expect(await ask(statement)).toMatchObject({ exit: 9, stdout: "" });
  await ask(accept);
  const given = await ask(statement);
  expect(given).toMatchObject({ exit: 0, stderr: expect.stringContaining(word) });
  expect(given.stdout.split("\n").filter((line) => line !== "")).toHaveLength(1 + october.length);
  const earlier = await ask(`ledger statement ${till} --start-date 2026-10-01 --end-date 2026-10-05 --csv`);
  expect(earlier).toMatchObject({ exit: 0, stderr: expect.not.stringContaining("is closed") });
});

test("an account that comes back is read again with its new rows, and its closure no longer counts", async () => {
  const { ask, returns, status } = await desk();
  await ask(accept);
  returns([...october, { ref: "C", day: "2026-10-20", amount: 7 }]);
  expect(await status()).toMatchObject({ exit: 9, accounts: [{}, { live: 77, state: "unsynced" }] });
  const back = await ask("ledger sync");
  expect(back).toMatchObject({ exit: 0 });
  expect(back.stderr).toContain(`The service has ${till} again`);
  const proved = await status();
  expect(proved).toMatchObject({ exit: 0, accounts: [{}, { rows: 3, closing: 77, live: 77, state: "proved" }] });
  expect(proved.stderr).not.toContain("closed");
  expect(await status("--as-of 2026-11-02T08:00:00Z")).toMatchObject({ exit: 0, stderr: "" });
});

test("--as-of shows what was known before and after a closure was accepted", async () => {
  const { ask, status } = await desk();
  await ask(accept);
  await ask("ledger sync");
  expect((await status("--as-of 2026-11-01T20:00:00Z", "2026-11-03")).stderr).not.toContain("is closed");
  expect((await status("--as-of 2026-11-02T20:00:00Z", "2026-11-03")).stderr).toContain(word);
  const month = "report cash --month 2026-10 --csv";
  expect(await ask(`${month} --as-of 2026-11-01T20:00:00Z`)).toMatchObject({ exit: 9 });
  expect(await ask(`${month} --as-of 2026-11-02T20:00:00Z`, "2026-11-03")).toMatchObject({ exit: 0 });
  const listed = await ask('ledger sql "SELECT account, day, side, gap, evidence FROM acceptances" --csv');
  expect(listed.stdout).toBe(`account,day,side,gap,evidence\n${till},2026-10-06,closed,,letter 17\n`);
});

test("a closure is refused while the service still has the account, even without its statement", async () => {
  const { ask, returns, write } = await desk();
  returns(october);
  const there = await ask(accept);
  expect(there).toMatchObject({ exit: 2, stdout: "" });
  expect(there.stderr).toContain(`The service still has ${till}`);
  write({ [shop]: own, [till]: { lines: october, isDown: true } });
  expect(await ask(accept)).toMatchObject({ exit: 2, stdout: "" });
  expect((await ask("ledger sql 'SELECT * FROM acceptances' --csv")).stdout.trim().split("\n")).toHaveLength(1);
});

test("an account that the service still lists is not taken for closed when its statement is missing", async () => {
  const { ask, close, write } = await desk();
  const listed = { [shop]: own, [till]: { lines: october, balance: 750, isListedOnly: true } };
  write(listed);
  const unread = await ask("ledger sync");
  expect(unread).toMatchObject({ exit: 5, stderr: expect.not.stringContaining("--account-closed") });
  expect(await ask(accept)).toMatchObject({
    exit: 2,
    stdout: "",
    stderr: expect.stringContaining(`The service still has ${till}`),
  });
  write({ [shop]: own });
  expect(await ask(accept)).toMatchObject({ exit: 0 });
  write(listed);
  expect(await ask("ledger status --json")).toMatchObject({
    exit: 9,
    stderr: expect.not.stringContaining("is closed"),
  });
  expect(await close("2026-10", "2026-11-02")).toMatchObject({
    exit: 5,
    stderr: expect.stringContaining(`The service has ${till} again`),
  });
});

test("a 404 that the service did not send does not close an account", async () => {
  const { ask, close, notFoundAs } = await desk();
  notFoundAs('{"message":"no Route matched with those values"}');
  expect(await ask("ledger sync")).toMatchObject({ exit: 5, stderr: expect.not.stringContaining("--account-closed") });
  expect(await ask(accept)).toMatchObject({ exit: 4, stdout: "" });
  notFoundAs('{"statusCode":404,"reason":"NOT_FOUND","details":{}}');
  expect(await ask(accept)).toMatchObject({ exit: 0 });
  notFoundAs("<html>404</html>");
  expect(await close("2026-10", "2026-11-02")).toMatchObject({ exit: 5 });
  expect((await ask("ledger status --json")).stderr).not.toContain("is closed");
  notFoundAs('{"statusCode":404,"reason":"NOT_FOUND","details":{}}');
  expect(await close("2026-10", "2026-11-02")).toMatchObject({ exit: 0, stderr: expect.stringContaining(word) });
});

test.each([
  ["--evidence x", "--row"],
  ["--row A --account-closed --evidence x", "--row"],
])("ledger accept needs either a row or --account-closed: %s is refused", async (flags, named) => {
  const { ask } = await desk();
  expect(await ask(`ledger accept ${till} ${flags}`)).toMatchObject({
    exit: 2,
    stdout: "",
    stderr: expect.stringContaining(named),
  });
});

test("an accepted closure is printed without the row that a break has", async () => {
  const { ask } = await desk();
  expect((await ask(accept)).stdout).toMatch(/^account +9000112244\nevidence +letter 17\nby +\S+\nat +\S+\n$/);
});

test("without --evidence, the example in the error repeats what was typed", async () => {
  const { ask } = await desk();
  const { stderr } = await ask(`ledger accept ${till} --account-closed`);
  expect(stderr).toContain("For example: partner ledger accept 9000112244 --account-closed --evidence ");
  expect((await ask(`ledger accept ${till} --row A`)).stderr).toMatch(/For example: .* --row \S+ --evidence /);
});

test("a closure is accepted only once, and only for an account in the ledger", async () => {
  const { ask } = await desk();
  await ask(accept);
  expect(await ask(accept)).toMatchObject({ exit: 2, stderr: expect.stringContaining("has been accepted already") });
  expect(await ask("ledger accept 9000999999 --account-closed --evidence x")).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("The ledger does not hold 9000999999."),
  });
});

test("a closure hides no missing rows: the account stays broken, and the close exits with 9", async () => {
  const { ask, close, status } = await desk({ lines: october, balance: 90 });
  await ask(accept);
  expect(await status()).toMatchObject({ exit: 9, accounts: [{}, { state: "broken", breaksAt: "B" }] });
  expect(await close("2026-10", "2026-11-02")).toMatchObject({ exit: 9 });
  await ask(`ledger accept ${till} --row B --evidence "letter 18"`);
  expect(await status()).toMatchObject({ exit: 0, accounts: [{}, { state: "proved" }] });
  expect(await close("2026-10", "2026-11-02")).toMatchObject({ exit: 0 });
});

test("a closed account is reconciled from the ledger, and needs no book for later months", async () => {
  const { ask, onDay, folder, environment } = await desk();
  const world = { environment: { PARTNER_CONFIG_DIR: join(folder, "config") } };
  const secrets = join(folder, "secrets.json");
  writeFileSync(secrets, JSON.stringify({ secretKey: environment.PARTNER_SECRET_KEY }));
  const at = `--environment sandbox --base-url ${environment.PARTNER_BASE_URL} --account-id a`;
  await onDay("2026-11-02", `profile add shop ${at} --secrets-from ${secrets}`, world);
  await onDay("2026-11-02", `profile set shop book.path=${folder}/{account}-{month}.csv`, world);
  writeFileSync(join(folder, `${shop}-2026-10.csv`), "reference,amount,date\nS,500.00,2026-10-02\n");
  writeFileSync(join(folder, `${shop}-2026-11.csv`), "reference,amount,date\n");
  const close = (month: string, day: string) =>
    onDay(day, `close --month ${month} --to ${join(folder, month)} -p shop`, world);
  await ask(accept);
  expect(await close("2026-10", "2026-11-02")).toMatchObject({
    exit: 9,
    stderr: expect.stringContaining(`${till}: it has no book`),
  });
  writeFileSync(
    join(folder, `${till}-2026-10.csv`),
    "reference,amount,date\nA,100.00,2026-10-01\nB,-30.00,2026-10-05\n",
  );
  expect(await close("2026-10", "2026-11-02")).toMatchObject({ exit: 0 });
  const reconciled = readFileSync(join(folder, "2026-10", "reconciliations", `${till}.csv`), "utf8");
  expect(reconciled).toContain("matched,A,100.00,100.00");
  expect(await close("2026-11", "2026-12-02")).toMatchObject({ exit: 0 });
});

test("a sync counts only the accounts that it read", async () => {
  const { ask, onDay } = await desk();
  await ask(accept);
  const world = { terminal: { stdout: true, stderr: true }, columns: 80 };
  expect((await onDay("2026-11-02", "ledger sync", world)).stderr).toContain(
    "Synced 1 account. See whether it is proved",
  );
});

test("a close names the accepted closure once, and a search and a sync go on without the account", async () => {
  const { ask, close } = await desk();
  await ask(accept);
  const closed = await close("2026-10", "2026-11-02");
  expect(closed.stderr.split("the account is closed")).toHaveLength(2);
  expect(await ask("find S --json")).toMatchObject({ exit: 0 });
  const named = await ask(`ledger sync ${till}`);
  expect(named).toMatchObject({ exit: 0, stderr: expect.stringContaining(word) });
});

test("a search without matches names the days of open accounts, and those of a closed one separately", async () => {
  const { ask } = await desk();
  await ask(accept);
  const none = await ask("find nothing", "2026-11-20");
  expect(none).toMatchObject({ exit: 4, stdout: "" });
  expect(none.stderr).toContain(
    `the ledger (2 accounts, from 2026-10-01 up to 2026-11-20; ${till} is closed, up to 2026-10-06).`,
  );
});

test("an account can be closed, come back and be closed again, and both words are kept", async () => {
  const { ask, returns, write, status } = await desk();
  await ask(accept);
  returns(october);
  await ask("ledger sync", "2026-11-03");
  write({ [shop]: own });
  expect(await ask("ledger sync", "2026-11-04")).toMatchObject({ exit: 5 });
  expect(await ask(`ledger accept ${till} --account-closed --evidence again`, "2026-11-04")).toMatchObject({ exit: 0 });
  expect(await ask("ledger sync", "2026-11-04")).toMatchObject({ exit: 0, stderr: "" });
  expect(await status("", "2026-11-04")).toMatchObject({ exit: 0, stderr: expect.stringContaining(": again.") });
  const listed = await ask('ledger sql "SELECT day, evidence, lapsed_at IS NULL AS counts FROM acceptances" --csv');
  expect(listed.stdout).toBe("day,evidence,counts\n2026-10-06,letter 17,0\n2026-11-03,again,1\n");
});

/** A service with one merchant account, which is gone once `isGone` is set. */
async function merchantDesk(availableBalance = 70) {
  const state = { isGone: false, isBroken: false };
  const row = { reference: "M", creditOrDebit: "CREDIT", valueDate: "2026-10-02T10:00:00+03:00", currency: "TZS" };
  const statement = [{ ...row, amountCredit: 70, amountDebit: 0, availableBalance: 70, currentBalance: 70 }];
  const facts = { accountNo: "0100", accountName: "SHOP", currency: "TZS", availableBalance, currentBalance: 70 };
  const server = createServer(({ url = "" }, response) => {
    const result = url.includes("/statement") ? { accountNo: "0100", statement } : facts;
    if (state.isBroken) response.writeHead(500).end();
    else if (state.isGone && url.includes("0100")) response.writeHead(404).end();
    else response.end(JSON.stringify(url.endsWith("/wallet") ? [] : { success: true, statusCode: "SUCCESS", result }));
  });
  const environment = {
    PARTNER_BASE_URL: `http://127.0.0.1:${await start(server)}`,
    PARTNER_ENVIRONMENT: "sandbox",
    PARTNER_ACCOUNT_ID: "a",
    PARTNER_SECRET_KEY: "secret-key",
    PARTNER_ACCESS_TOKEN: "t",
    PARTNER_STATE_DIR: join(temporaryFolder(), "state"),
  };
  const ask = (line: string) => run(words(line), { now: Date.parse("2026-10-06T09:00:00Z"), environment });
  return { state, ask };
}

test("a merchant account that the service no longer finds is closed in the same way", async () => {
  const { state, ask } = await merchantDesk();
  expect(await ask("ledger sync 0100")).toMatchObject({ exit: 0 });
  state.isGone = true;
  const missed = await ask("ledger sync");
  expect(missed).toMatchObject({ exit: 5, stderr: expect.stringContaining("ledger accept 0100 --account-closed") });
  const accepting = "ledger accept 0100 --account-closed --evidence letter";
  state.isBroken = true;
  expect(await ask(accepting)).toMatchObject({ exit: 5, stdout: "" });
  state.isBroken = false;
  expect((await ask('ledger sql "SELECT * FROM acceptances" --csv')).stdout.trim().split("\n")).toHaveLength(1);
  expect(await ask(accepting)).toMatchObject({ exit: 0 });
  expect(await ask("ledger sync")).toMatchObject({ exit: 0, stderr: "" });
  expect(await ask("ledger status")).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining("0100: the account is closed."),
  });
  expect(await ask("account statement 0100 --today")).toMatchObject({ exit: 4 });
});

test("a closed account whose rows reached one of its balances stays proved, with --as-of too", async () => {
  const { state, ask } = await merchantDesk(60);
  expect(await ask("ledger sync 0100")).toMatchObject({ exit: 0 });
  state.isGone = true;
  expect(await ask("ledger accept 0100 --account-closed --evidence letter")).toMatchObject({ exit: 0 });
  for (const line of ["ledger status --json", "ledger status --json --as-of 2026-10-06T20:00:00Z"])
    expect(await ask(line)).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "proved"') });
});

test("a report of only closed accounts says how old it is", async () => {
  const { state, ask } = await merchantDesk();
  expect(await ask("ledger sync 0100")).toMatchObject({ exit: 0 });
  state.isGone = true;
  expect(await ask("ledger accept 0100 --account-closed --evidence letter")).toMatchObject({ exit: 0 });
  const report = await ask("report cash --start-date 2026-10-01 --end-date 2026-10-03");
  expect(report).toMatchObject({ exit: 0, stderr: expect.stringContaining("as of 2026-10-06 12:00:00.") });
});

test("days of a closed account that were never read are missing, and no sync is suggested", async () => {
  const { ask, write, onDay } = await desk();
  await ask(accept);
  const earlier = await ask(`ledger statement ${till} --month 2026-09 --csv`);
  expect(earlier).toMatchObject({ exit: 9, stdout: "" });
  expect(earlier.stderr).toContain("Hint: The account is closed: the service gives these days no longer.\n");
  const unread = "9000112255";
  write({ [shop]: own, [unread]: { lines: october, isDown: true } });
  expect(await onDay("2026-11-03", "ledger sync")).toMatchObject({ exit: 5 });
  write({ [shop]: own });
  await ask(`ledger accept ${unread} --account-closed --evidence letter`, "2026-11-03");
  expect(await ask(`ledger statement ${unread} --month 2026-11 --csv`, "2026-11-03")).toMatchObject({
    exit: 9,
    stdout: "",
  });
});

test("a month before the first day of a closed account can't be closed, and no sync is suggested", async () => {
  const { ask, close } = await desk();
  await ask(accept);
  const refused = await close("2026-09", "2026-11-02");
  expect(refused).toMatchObject({ exit: 5, stdout: "" });
  expect(refused.stderr).toContain(`The rows of ${till} could not be read for the whole month.`);
  expect(refused.stderr).toContain("The account is closed: the service gives these days no longer.");
  expect(refused.stderr).not.toContain("ledger sync");
});

test("a ledger of the previous version keeps its rows and accepts a closure", async () => {
  const { ask, environment, status } = await desk();
  const database = new DatabaseSync(join(environment.PARTNER_STATE_DIR, "ledger.db"));
  database.exec("DROP TABLE closures; PRAGMA user_version = 5");
  database.close();
  expect(await status()).toMatchObject({ exit: 9, accounts: [{}, { rows: 2, state: "unsynced" }] });
  expect(await ask(accept)).toMatchObject({ exit: 0 });
  expect(await status()).toMatchObject({ exit: 0 });
});
