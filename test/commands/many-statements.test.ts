import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import { start } from "../host/servers.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import type { Partner } from "../simulated.ts";
import { test } from "../simulated.ts";

async function walletNumbers(partner: Partner): Promise<string[]> {
  const { stdout } = await partner`wallets list --csv --no-header --columns accountNo`;
  return stdout.trimEnd().split("\n");
}

test("--all exports every wallet to its own file, including a wallet without rows", async ({ partner }) => {
  const folder = temporaryFolder();
  const numbers = await walletNumbers(partner);
  const ended = await partner`wallet statement --all --month 2026-03 --save ${folder}/{account}-{month}.csv`;
  expect(ended).toMatchObject({ exit: 0, stdout: "" });
  for (const number of numbers) {
    const alone = await partner`wallet statement ${number} --month 2026-03 --csv`;
    expect(readFileSync(join(folder, `${number}-2026-03.csv`), "utf8")).toBe(alone.stdout);
    expect(ended.stderr).toContain(number);
  }
});

test("--all requires {account} in the file name and takes no wallet number", async ({ partner }) => {
  expect((await partner`wallet statement --all --month 2026-03`).stderr).toContain("{account}");
  expect((await partner`wallet statement --all --month 2026-03 --save w.csv`).exit).toBe(2);
  expect((await partner`wallet statement 42 --all --month 2026-03`).exit).toBe(2);
  expect((await partner`wallet statement --month 2026-03`).stderr).toContain("ACCOUNT is missing");
});

test("a period fetched month by month gives the same rows as one request", async ({ partner }) => {
  const [accountNo = ""] = await walletNumbers(partner);
  const period = "--start-date 2025-12-15 --end-date 2026-03-20 --strict --csv";
  const whole = await partner`wallet statement ${accountNo} ${period}`;
  const pieces = await partner`wallet statement ${accountNo} ${period} --by month`;
  expect(pieces).toMatchObject({ exit: 0, stdout: whole.stdout });
  expect(whole.stdout.split("\n").length).toBeGreaterThan(3);
  expect(pieces.stderr).toContain("Reading 2026-01-01 to 2026-01-31");
});

test("--by month saves one file per month, with only a header for a month without rows", async ({ partner }) => {
  const folder = temporaryFolder();
  const [accountNo = ""] = await walletNumbers(partner);
  const ended =
    await partner`wallet statement ${accountNo} --start-date 2025-10-15 --end-date 2026-03-20 --by month --save ${folder}/w-{month}.csv`;
  expect(ended).toMatchObject({ exit: 0, stdout: "" });
  const ends = ["2025-10-31", "2025-11-30", "2025-12-31", "2026-01-31", "2026-02-28", "2026-03-20"];
  expect(readdirSync(folder).toSorted()).toEqual(ends.map((end) => `w-${end.slice(0, 7)}.csv`));
  for (const end of ends) {
    const start = end === "2025-10-31" ? "2025-10-15" : `${end.slice(0, 7)}-01`;
    const alone = await partner`wallet statement ${accountNo} --start-date ${start} --end-date ${end} --csv`;
    expect(readFileSync(join(folder, `w-${end.slice(0, 7)}.csv`), "utf8")).toBe(alone.stdout);
  }
  expect(readFileSync(join(folder, "w-2025-10.csv"), "utf8").trimEnd().split("\n")).toHaveLength(1);
});

test("with --strict, one month that does not add up prevents every file", async () => {
  const { all, files, folder } = await partnerWith([{ accountNo: "1" }], (month) =>
    month === "2026-02" ? [row.replaceAll("2026-03", month), row.replaceAll("2026-03", month)] : [],
  );
  const line = "--start-date 2026-01-01 --end-date 2026-03-31 --by month";
  const save = `--save ${folder}/{account}-{month}.csv`;
  expect((await all(`${line} ${save} --strict`)).exit).toBe(9);
  expect(files()).toEqual([]);
  expect((await all(`${line} ${save}`)).exit).toBe(0);
  expect(files().toSorted()).toEqual(["1-2026-01.csv", "1-2026-02.csv", "1-2026-03.csv"]);
});

const row = `{"tranRefNo":"A","valueDate":"2026-03-02 08:00:00","narration":"n","amountCredited":1.00,"amountDebited":0,"balance":1.00}`;

/** A service with these wallets; each has one row by default. */
async function partnerWith(
  wallets: readonly Readonly<Record<string, unknown>>[],
  rowsOf: (month: string) => readonly string[] = () => [row],
) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const isList = request.url === "/wallet";
    request.on("data", (bytes) => {
      const [, month = ""] = /"startDate":"(\d{4}-\d\d)/.exec(String(bytes)) ?? [];
      response.setHeader("content-type", "application/json").end(`[${rowsOf(month).join()}]`);
    });
    if (isList) response.setHeader("content-type", "application/json").end(JSON.stringify(wallets));
  });
  const folder = temporaryFolder();
  const environment = {
    PARTNER_BASE_URL: `http://127.0.0.1:${await start(server)}`,
    PARTNER_ENVIRONMENT: "sandbox",
    PARTNER_ACCOUNT_ID: "a",
    PARTNER_SECRET_KEY: "secret-key",
    PARTNER_STATE_DIR: join(folder, "state"),
  };
  const all = (flags: string) =>
    run(words(`wallet statement --all ${flags.includes("--save") ? "" : `--save ${folder}/{account}.csv`} ${flags}`), {
      environment,
      now: Date.parse("2026-03-05T09:00:00Z"),
    });
  const files = (name = ".") => readdirSync(join(folder, name)).filter((file) => file.endsWith(".csv"));
  return { asked, all, folder, files };
}

test("a wallet without a number does not stop the export of the others", async () => {
  const { all, files } = await partnerWith([{ accountName: "old" }, { accountNo: "1" }, { accountNo: null }]);
  const ended = await all("--month 2026-03");
  expect(ended.exit).toBe(9);
  expect(ended.stderr).toContain("2 of 3 wallets were not exported");
  expect(files()).toEqual(["1.csv"]);
});

test("account numbers are escaped in file names, so every file stays in the chosen folder", async () => {
  const numbers = ["../x", "..", "a/b", "a*b", "\uD800", "{month}"];
  const { all, files } = await partnerWith(numbers.map((accountNo) => ({ accountNo })));
  expect((await all("--month 2026-03")).exit).toBe(0);
  expect(files().toSorted()).toEqual(
    ["%2E..csv", "%2E.%2Fx.csv", "%7Bmonth%7D.csv", "%EF%BF%BD.csv", "a%2Ab.csv", "a%2Fb.csv"].toSorted(),
  );
});

test("a new wallet without a start date does not stop --since-last for the others", async () => {
  const wallets = [{ accountNo: "1" }];
  const { all, files } = await partnerWith(wallets);
  expect((await all("--since-last --start-date 2026-03-01")).exit).toBe(0);
  wallets.unshift({ accountNo: "0" });
  wallets.push({ accountNo: "2" });
  const ended = await all("--since-last");
  expect(ended.exit).toBe(2);
  expect(ended.stderr).toContain("2 of 3 wallets were not exported");
  expect(ended.stderr).toContain("first export of 2");
  expect(files()).toEqual(["1.csv"]);
});

test.for(["--month 2026-03", "--since-last --start-date 2026-03-01"])(
  "with %s each wallet can have its own folder, and a missing folder does not stop the others",
  async (flags) => {
    const { all, folder, files } = await partnerWith([{ accountNo: "0" }, { accountNo: "1" }]);
    mkdirSync(join(folder, "1"));
    const ended = await all(`--save ${folder}/{account}/{month}.csv ${flags}`);
    expect(ended.exit).toBe(2);
    expect(ended.stderr).toContain("1 of 2 wallets were not exported");
    expect(files("1")).toEqual(["2026-03.csv"]);
  },
);

test("mistakes in the --all command line are reported before any request", async () => {
  const { all, asked } = await partnerWith([{ accountNo: "1" }]);
  expect((await all("")).exit).toBe(2);
  expect((await all("--since-last --month 2026-03")).exit).toBe(2);
  expect(asked).toEqual([]);
});

test("months whose rows come newest first are joined newest first", async () => {
  const moments = ["2026-02-27 17:00:00", "2026-02-27 08:00:00", "2026-01-30 17:00:00", "2026-01-30 08:00:00"];
  const rows = moments.map((at, index) =>
    row.replace("2026-03-02 08:00:00", at).replace(`"balance":1.00`, `"balance":${4 - index}.00`),
  );
  const server = createServer((request, response) => {
    request.on("data", (bytes) => {
      const month = /"startDate":"(\d{4}-\d\d)/.exec(String(bytes))?.[1] ?? "";
      response
        .setHeader("content-type", "application/json")
        .end(`[${rows.filter((one) => one.includes(month)).join()}]`);
    });
  });
  const ended = await run(
    words(
      "wallet statement 42 --start-date 2026-01-01 --end-date 2026-02-28 --by month --strict --csv --columns balance",
    ),
    {
      environment: {
        PARTNER_BASE_URL: `http://127.0.0.1:${await start(server)}`,
        PARTNER_ENVIRONMENT: "sandbox",
        PARTNER_ACCOUNT_ID: "a",
        PARTNER_SECRET_KEY: "secret-key",
      },
    },
  );
  expect(ended).toMatchObject({ exit: 0, stdout: "balance\n4.00\n3.00\n2.00\n1.00\n" });
});
