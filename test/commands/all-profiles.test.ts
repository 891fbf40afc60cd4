import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { memoryHost } from "../memory-host.ts";
import { now } from "../simulated.ts";
import { errorIn } from "./served.ts";
import type { Shell } from "./shell.ts";
import { test as atShell } from "./shell.ts";

interface ThreeProfiles extends Shell {
  /** The service of the profile `till`; `lake` and `shop` use the other one. */
  readonly till: RunningSimulator;
}

/** A shell with three profiles on two services. */
const test = atShell.extend<{ readonly three: ThreeProfiles }>({
  three: async ({ shell, simulator }, use) => {
    const till = await startSimulator(memoryHost({ now }));
    onTestFinished(() => till.stop());
    for (const [name, at] of [
      ["shop", simulator],
      ["lake", simulator],
      ["till", till],
    ] as const) {
      const { secretKey, accessToken, baseUrl, accountBaseUrl, accountId } = at;
      const where = `--environment simulator --base-url ${baseUrl} --account-base-url ${accountBaseUrl}`;
      const stdin = JSON.stringify({ secretKey, accessToken });
      await shell.type(`profile add ${name} ${where} --account-id ${accountId} --secrets-from -`, { stdin });
    }
    await use({ ...shell, till });
  },
});

const line = "wallets list --all-profiles --columns profile,accountNo --csv";
const wallets = [
  "9000112233",
  "9000112244",
  "0560066551200",
  "015A8XX787600",
  "9000445566",
  "9000445577",
  "0720011223344",
  "9000999001",
];
const rowsOf = (...profiles: string[]) =>
  `profile,accountNo\n${profiles.flatMap((profile) => wallets.map((wallet) => `${profile},${wallet}\n`)).join("")}`;

/** Makes the secret key invalid, as if it had expired. */
function expire({ folder }: Shell, profile: string): void {
  const path = join(folder, "credentials.json");
  const kept = JSON.parse(readFileSync(path, "utf8"));
  kept.profiles[profile].secretKey.value = "expired";
  writeFileSync(path, JSON.stringify(kept), { mode: 0o600 });
}

const statusOf = (state: string, ...profiles: string[]) =>
  profiles.flatMap((profile) => wallets.map((wallet) => `${profile},${wallet},${state}\n`)).join("");

describe("the ledger of every profile", () => {
  const sync = "ledger sync --all-profiles --start-date 2026-03-01 --quiet";
  const status = "ledger status --all-profiles --columns profile,account,state --csv";

  test("is synced and proved, with the profile in each row", async ({ three }) => {
    expect(await three.type(sync)).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    expect(await three.type(status)).toMatchObject({
      exit: 0,
      stdout: `profile,account,state\n${statusOf("proved", "lake", "shop", "till")}`,
      stderr: "",
    });
    const before = await three.type(`${status} --as-of 2020-01-01T00:00:00Z`);
    const unsynced = statusOf("unsynced", "lake", "shop", "till");
    expect(before).toMatchObject({ exit: 9, stdout: `profile,account,state\n${unsynced}` });
  });

  test("runs an SQL query for each profile", async ({ three }) => {
    await three.type(sync);
    const ask = (sql: string) => three.type(`ledger sql "${sql}" --all-profiles --csv`);
    expect(await ask("SELECT account FROM accounts WHERE account = 9000112233")).toMatchObject({
      exit: 0,
      stdout: "profile,account\nlake,9000112233\nshop,9000112233\ntill,9000112233\n",
    });
    expect((await ask("SELECT count(*) AS rows, profile FROM accounts")).stdout).toMatch(
      /^rows,profile\n(8,\w+\n){3}$/,
    );
    expect(await ask("SELECT nothing FROM accounts")).toMatchObject({ exit: 2, stdout: "" });
  });

  test("is synced for the other profiles when one has expired credentials; the worst exit code wins", async ({
    three,
  }) => {
    expire(three, "lake");
    const synced = await three.type(sync);
    expect({ exit: synced.exit, stdout: synced.stdout }).toEqual({ exit: 3, stdout: "" });
    expect(synced.stderr).toContain("Error: 1 of 3 profiles failed. lake: ");
    const shown = await three.type(status);
    expect({ exit: shown.exit, stdout: shown.stdout }).toEqual({
      exit: 3,
      stdout: `profile,account,state\n${statusOf("proved", "shop", "till")}`,
    });
  });

  test("is synced on a terminal with one sentence that counts the accounts of all profiles", async ({ three }) => {
    const { stderr } = await three.type("ledger sync --all-profiles --start-date 2026-03-01", {
      terminal: { stderr: true },
    });
    expect(stderr).toContain(
      `Synced ${3 * wallets.length} accounts. See whether they are proved: partner ledger status --all`,
    );
  });

  test("is searched although one profile's credentials expired; that profile is named, with or without matches", async ({
    three,
  }) => {
    await three.type(sync);
    expire(three, "shop");
    const find = (what: string) => three.type(`find ${what} --all-profiles --csv --columns profile`);
    const found = await find("9000112244");
    expect(found.exit).toBe(3);
    expect([...new Set(found.stdout.trimEnd().split("\n"))]).toEqual(["profile", "lake", "shop", "till"]);
    expect(found.stderr).toContain("Error: 1 of 3 profiles failed. shop: The service did not accept");
    const nothing = await find("NOPE-1");
    expect({ exit: nothing.exit, stdout: nothing.stdout }).toEqual({ exit: 3, stdout: "" });
    expect(nothing.stderr).toContain("Error: 1 of 3 profiles failed. shop: The service did not accept");
    const offline = await three.type("find 9000112244 --all-profiles --offline --csv");
    expect(offline.exit).toBe(0);
    const [, count = ""] =
      /^(\d+ payments?); /.exec((await three.type("find 9000112244 -p lake --offline")).stderr) ?? [];
    expect(offline.stderr).toBe(
      `${count}; the ledger begins on 2026-03-01.\nshop and till have the account of lake: its payments are counted once.\n`,
    );
    const asJson = JSON.parse((await three.type("find 9000112244 --all-profiles --offline --json")).stdout);
    const owners = asJson.map(({ profile }: { readonly profile: unknown }) => profile);
    expect([...new Set(owners)]).toEqual(["lake", "shop", "till"]);
    expect((await three.type("find NOPE-1 --all-profiles --offline")).stderr).toContain(
      "for earlier days: partner ledger sync --all-profiles --start-date 2026-02-01",
    );
  });

  test("is searched, and profiles with an empty ledger are named", async ({ three }) => {
    await three.type("ledger sync -p till --start-date 2026-03-01 --quiet");
    const { exit, stderr } = await three.type("find 9000112244 --all-profiles --offline --csv");
    expect(exit).toBe(0);
    expect(stderr).toMatch(/^\d+ payments; the ledger begins on 2026-03-01; that of lake and shop is empty\.\n$/);
  });

  test("is reported from the stored rows, with the profile in front of each row", async ({ three }) => {
    await three.type(sync);
    expire(three, "shop");
    const line = "report cash --month 2026-03 --all-profiles --csv --columns profile,account --sort account";
    const { exit, stdout } = await three.type(`${line} --where 'account="9000112233"'`);
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: "profile,account\nlake,9000112233\nshop,9000112233\ntill,9000112233\n",
    });
  });

  test("is not proved when one profile isn't: exit 9, and that profile is named", async ({ three }) => {
    await three.type("ledger sync -p till --start-date 2026-03-01 --quiet");
    const { exit, stderr } = await three.type(`${status} --where 'profile="till"'`);
    expect(exit).toBe(9);
    expect(stderr).toContain("shop: all 8 accounts are unsynced");
    expect(stderr).not.toContain("till:");
  });

  test("cannot be limited to one account", async ({ three }) => {
    expect(await three.type("ledger sync 9000112233 --all-profiles")).toMatchObject({ exit: 2, stdout: "" });
  });
});

describe("every profile", () => {
  test("is read in the order of the profile names, and each row names its profile", async ({ three }) => {
    expect(await three.type(line)).toMatchObject({ exit: 0, stdout: rowsOf("lake", "shop", "till"), stderr: "" });
    const [first] = JSON.parse((await three.type("wallets list --all-profiles --json")).stdout);
    expect(first).toMatchObject({ profile: "lake", accountNo: "9000112233" });
    const filtered = await three.type(`${line} --where 'profile="till" and accountNo~"90004455"' --quiet`);
    expect(filtered.stdout).toBe("profile,accountNo\ntill,9000445566\ntill,9000445577\n");
  });

  test("with expired credentials is named, the others are read, and the exit code is that profile's", async ({
    three,
  }) => {
    expire(three, "shop");
    const { exit, stdout, stderr } = await three.type(line);
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: rowsOf("lake", "till") });
    expect(stderr).toContain("Error: 1 of 3 profiles failed. shop: ");
    const inJson = await three.type("wallets list --all-profiles --json");
    expect(JSON.parse(inJson.stdout)).toHaveLength(16);
    expect(errorIn(inJson)).toMatchObject({ ending: "setup", details: { shop: expect.stringContaining("") } });
  });

  test("that fails in another way is counted too, and the worst exit code wins", async ({ three }) => {
    await three.till.stop();
    expect(await three.type(`${line} --retries 0`)).toMatchObject({ exit: 5, stdout: rowsOf("lake", "shop") });
    expire(three, "lake");
    const { exit, stdout, stderr } = await three.type(`${line} --retries 0`);
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: rowsOf("shop") });
    expect(stderr).toContain("2 of 3 profiles failed. lake: ");
    expect(stderr).toContain("Also: till.");
    expect(stderr).toMatch(/^ {2}till: .+$/m);
  });

  test("that fails along with all others leaves stdout empty", async ({ three }) => {
    for (const name of ["lake", "shop", "till"]) expire(three, name);
    expect(await three.type(line)).toMatchObject({ exit: 3, stdout: "" });
  });

  test("ignores environment variables for another account", async ({ three }) => {
    const environment = { PARTNER_ACCOUNT_ID: "other", PARTNER_SECRET_KEY: "x", PARTNER_PROFILE: "nowhere" };
    expect(await three.type(line, { environment })).toMatchObject({ exit: 0, stdout: rowsOf("lake", "shop", "till") });
  });

  test("cannot be combined with -p, and needs at least one profile", async ({ three, shell }) => {
    expect(await three.type(`${line} -p shop`)).toMatchObject({ exit: 2, stdout: "" });
    for (const name of ["lake", "shop", "till"]) await shell.type(`profile remove ${name}`);
    expect(await three.type(line)).toMatchObject({ exit: 3, stdout: "" });
  });
});

async function totals({ type }: Pick<Shell, "type">, flags: string) {
  const { stdout } = await type(`wallets list ${flags}`);
  return stdout.split("\n").filter((text) => /total|counted/.test(text));
}

describe("the totals of all profiles", () => {
  test("count an account's wallets once, even if several profiles have the account", async ({ three }) => {
    const one = await totals(three, "-p shop");
    expect(one).toHaveLength(3);
    expect(await totals(three, "--all-profiles")).toEqual([
      ...one,
      "shop and till have the account of lake: its wallets are counted once",
    ]);
    expect(await totals(three, `--all-profiles --where 'profile="shop"'`)).toEqual(one);
  });

  test("never add up money from different environments", async ({ three }) => {
    const mill = await startSimulator(memoryHost({ now }));
    onTestFinished(() => mill.stop());
    const where = `--environment sandbox --base-url ${mill.baseUrl} --account-id ${mill.accountId}`;
    await three.type(`profile add mill ${where} --secrets-from -`, {
      stdin: JSON.stringify({ secretKey: mill.secretKey }),
    });
    const one = await totals(three, "-p shop --currency KES");
    expect(await totals(three, "--all-profiles --currency KES")).toEqual([
      `sandbox: ${one.join("")}`,
      `simulator: ${one.join("")}`,
      "shop and till have the account of lake: its wallets are counted once",
    ]);
  });
});

test("reports warn that figures of one account in several profiles must not be added up", async ({ three }) => {
  const said = "shop and till have the account of lake: do not add up their figures";
  await three.type("ledger sync --all-profiles --start-date 2026-02-01 --quiet");
  for (const report of ["cash", "flow", "fees", "customers"]) {
    const line = `report ${report} --month 2026-02 --all-profiles`;
    const csv = await three.type(`${line} --csv`);
    expect(csv.stderr).toContain(`\n${said}.\n`);
    const table = await three.type(line);
    expect(table.stdout.endsWith(`\n${said}\n`)).toBe(true);
    expect(table.stderr).not.toContain(said);
    expect((await three.type(`report ${report} --month 2026-02 -p shop`)).stdout).not.toContain(said);
    const page = join(three.folder, `${report}.html`);
    await three.type(`${line} --save ${page}`);
    expect(readFileSync(page, "utf8")).toContain(`<p>${said}</p>`);
  }
  const closed = await three.type(`close --month 2026-02 --all-profiles --to ${join(three.folder, "close")} --csv`);
  expect(closed).toMatchObject({ exit: 0, stderr: expect.stringContaining(`\n${said}.\n`) });
});

test("a report that lacks days of several profiles suggests a sync with --all-profiles", async ({ three }) => {
  const report = await three.type("report cash --this-month --all-profiles");
  expect(report).toMatchObject({ exit: 9, stderr: expect.stringContaining("partner ledger sync --all-profiles\n") });
  await three.type("ledger sync --all-profiles");
  const earlier = await three.type("report cash --last-month --all-profiles");
  expect(earlier.stderr).toMatch(/partner ledger sync --all-profiles --start-date \d{4}-\d\d-01\n/);
});
