import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { newMachine, send } from "../webhooks/listening.ts";

// A program that a person has partner start, a tunnel or one that takes events, needs none of our secrets.

const secrets = {
  PARTNER_SECRET_KEY: "c2VjcmV0LWtleS1vZi1vdXJz",
  PARTNER_ACCESS_TOKEN: "access-token-of-ours",
  PARTNER_WEBHOOK_KEY: Buffer.alloc(32, 7).toString("base64"),
  PARTNER_JOURNAL_URL: "postgres://clerk:journal-password@db.example/books?sslmode=verify-full",
  PGPASSWORD: "database-password",
};
const account = { PARTNER_ACCOUNT_ID: "shop-1", PARTNER_ENVIRONMENT: "sandbox", COLOUR_OF_THE_SHOP: "blue" };

/** A program that writes down its environment and arguments. */
function dumping(file: string, exit: number): string {
  return `"sh -c 'env > ${file}; exit ${exit}'"`;
}

function expectNoSecret(file: string): void {
  expect(existsSync(file)).toBe(true);
  const told = readFileSync(file, "utf8");
  expect(told).toContain("COLOUR_OF_THE_SHOP=blue\n");
  for (const [name, value] of Object.entries(secrets)) {
    expect(told).not.toContain(value);
    expect(told).not.toMatch(new RegExp(`^${name}=`, "m"));
  }
}

test("webhook listen --exec: the program gets none of our secrets in its environment", async () => {
  const machine = newMachine();
  const file = join(machine.folder, "environment");
  const { PARTNER_WEBHOOK_KEY: _ours, PARTNER_JOURNAL_URL: _journal, ...others } = secrets;
  const { url, stop } = await machine.listen(`--exec ${dumping(file, 0)}`, { ...others, ...account });
  expect((await send(url, "A")).status).toBe(200);
  expect((await stop()).exit).toBe(0);
  expectNoSecret(file);
});

test("collect --wait --tunnel: the tunnel gets none either", async () => {
  const file = join(temporaryFolder(), "environment");
  const { PARTNER_JOURNAL_URL: _journal, ...others } = secrets;
  const folders = { PARTNER_STATE_DIR: temporaryFolder(), PARTNER_CONFIG_DIR: temporaryFolder() };
  const order = "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 5 --narration x --reference A-1 --yes";
  const line = `${order} --check-statement never --wait --tunnel ${dumping(file, 3)}`;
  const ended = await run(words(line), {
    environment: { ...others, ...account, ...folders, PARTNER_BASE_URL: "http://127.0.0.1:9" },
    // The time limit of the tunnel never ends, so it ends by itself.
    meanwhile: () => new Promise(() => undefined),
  });
  expect(ended.exit).toBe(5);
  expectNoSecret(file);
});

test("simulator run: a command gets the simulator's own credentials and none of ours", async () => {
  const file = join(temporaryFolder(), "environment");
  const { exit } = await run(words(`simulator run -- sh -c 'env > ${file}'`), {
    environment: { ...secrets, ...account },
  });
  expect(exit).toBe(0);
  const told = readFileSync(file, "utf8");
  for (const value of Object.values(secrets)) expect(told).not.toContain(value);
  expect(told).toMatch(/^PARTNER_SECRET_KEY=.+$/m);
});
