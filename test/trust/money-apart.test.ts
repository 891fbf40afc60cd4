import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { now, test } from "../simulated.ts";

// Credentials that move money can be separate from those that read: a read does not need them.

const order = "transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --yes";

/** A profile whose reads have their key in a file, and whose money runs a program that leaves a mark. */
async function office(simulator: RunningSimulator, moneyKey = simulator.secretKey) {
  const folder = temporaryFolder();
  const mark = join(folder, "asked");
  const script = join(folder, "money.cjs");
  writeFileSync(
    script,
    `require("node:fs").appendFileSync(${JSON.stringify(mark)}, "asked\\n");
    console.log(${JSON.stringify(JSON.stringify({ version: 1, secretKey: moneyKey }))});`,
  );
  const environment = { PARTNER_CONFIG_DIR: join(folder, "config"), PARTNER_STATE_DIR: join(folder, "state") };
  mkdirSync(join(folder, "config"), { mode: 0o700 });
  const type = (line: string, stdin = "") => run(words(line), { environment, stdin, now });
  const { baseUrl, accountId, secretKey } = simulator;
  const add = `profile add shop --environment simulator --base-url ${baseUrl} --account-id ${accountId} --secrets-from -`;
  expect((await type(add, JSON.stringify({ secretKey }))).exit).toBe(0);
  const command = `money.credentialCommand=${process.execPath} ${script}`;
  const set = await run(["profile", "set", "shop", "money.secretStore=command", command], { environment });
  expect(set).toMatchObject({ exit: 0 });
  return { type, mark, environment };
}

test("a read never runs the program with the key for money", async ({ simulator }) => {
  const { type, mark } = await office(simulator);
  for (const line of [
    "wallets list",
    "wallet balance 9000112233",
    "wallet statement 9000112233 --last-month",
    "journal list",
    "profile show",
    "profile check",
    "doctor",
  ])
    expect([line, (await type(line)).exit, existsSync(mark)]).toEqual([line, expect.any(Number), false]);
  expect((await type("wallets list")).exit).toBe(0);
});

test("money is sent with the key of its own program", async ({ simulator }) => {
  const { type, mark } = await office(simulator);
  const sent = await type(`${order} --json`);
  expect([sent.exit, JSON.parse(sent.stdout)]).toEqual([0, expect.objectContaining({ state: "accepted" })]);
  expect(readFileSync(mark, "utf8")).toMatch(/^(?:asked\n)+$/);
  rmSync(mark);
  const file = join(temporaryFolder(), "orders.csv");
  writeFileSync(file, "reference,from,to,amount,description\nR-1,9000112233,9000112244,6,rent\n");
  expect(await type(`batch run ${file} --kind transfer --yes`)).toMatchObject({ exit: 0 });
  expect(existsSync(mark)).toBe(true);
});

test("the key for reads cannot move money", async ({ simulator }) => {
  const { type } = await office(simulator, "another-key");
  expect((await type("wallets list")).exit).toBe(0);
  const before = simulator.world.wallet("9000112233").balance.toString();
  expect((await type(order)).exit).toBe(3);
  expect(simulator.world.wallet("9000112233").balance.toString()).toBe(before);
});

test("the summary before an order names the source of its key", async ({ simulator }) => {
  const { environment } = await office(simulator);
  const terminal = { stdin: true, stderr: true };
  const asked = await run(words(order.replace(" --yes", "")), { environment, terminal, answers: ["n"], now });
  expect([asked.exit, asked.stderr]).toEqual([
    130,
    expect.stringMatching(/secret key +profile shop \(money\.credentialCommand\)/),
  ]);
});

test("one of the two settings alone is refused, and so is another store", async ({ simulator }) => {
  const { environment } = await office(simulator);
  const set = async (...changes: string[]) => {
    const { exit, stderr } = await run(["profile", "set", "shop", ...changes], { environment });
    return [exit, stderr.split("\n")[0]];
  };
  expect(await set("money.credentialCommand=")).toEqual([
    2,
    "Error: money.credentialCommand is missing: money.secretStore=command asks it for the secret key.",
  ]);
  expect(await set("money.secretStore=")).toEqual([
    2,
    "Error: money.secretStore is missing: money.credentialCommand goes with money.secretStore=command.",
  ]);
  expect(await set("money.secretStore=keyring")).toEqual([2, "Error: money.secretStore must be one of command."]);
  expect(await set("money.secretStore=", "money.credentialCommand=")).toEqual([0, expect.any(String)]);
});
