import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { now, test } from "../simulated.ts";
import { payouts, timesMoved, transfers } from "./batch-service.ts";

const order = "transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference R-1 --yes --json";

/** A machine with the profile `shop` for the simulator. */
function machine({ baseUrl, ...others }: RunningSimulator) {
  const folder = temporaryFolder();
  const environment = { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: `${folder}/state` };
  const { PARTNER_SECRET_KEY: secretKey } = environmentFor({ baseUrl, ...others });
  const type = (line: string) => run(words(line), { now, environment, stdin: JSON.stringify({ secretKey }) });
  return { folder, baseUrl, moved: baseUrl.replace("127.0.0.1", "127.0.0.2"), type };
}

async function paid(simulator: RunningSimulator) {
  const { folder, baseUrl, moved, type } = machine(simulator);
  const add = `profile add shop --environment live --base-url ${baseUrl} --account-id vendor-7 --secrets-from -`;
  expect(await type(add)).toMatchObject({ exit: 0, stderr: "" });
  expect(await type("profile set shop accountId=simulator")).toMatchObject({ exit: 0, stderr: "" });
  expect(await type(order)).toMatchObject({ exit: 0 });
  return { folder, baseUrl, moved, type };
}

const isAnother = (baseUrl: string) =>
  `To the journal this is another account than "live ${baseUrl} simulator", which has orders: a reference that was used there can be used here again. If it is the same account, set environment or baseUrl back, run partner -p shop journal resolve --all, and change it again.\n`;

test("changing label and address together makes another account and says so; changing one does not", async ({
  simulator,
}) => {
  const { baseUrl, moved, type } = await paid(simulator);
  expect((await type("profile set shop environment=sandbox")).stderr).toBe("");
  expect((await type("profile set shop environment=live limit.transfer=5000")).stderr).toBe("");
  const both = await type(`profile set shop environment=sandbox baseUrl=${moved}`);
  expect(both.exit).toBe(0);
  expect(both.stderr).toContain(isAnother(baseUrl));
  expect((await type("profile set shop accountId=vendor-9")).stderr).not.toContain("another account");
});

test("a batch keeps its id after the account's label changes, even if only the journal still knows it", async ({
  simulator,
}) => {
  const { folder, type } = await paid(simulator);
  const file = `${folder}/rents.csv`;
  writeFileSync(file, transfers(2, (index) => 6 + index).replace("R-1,", "R-3,"));
  const line = `batch run ${file} ${payouts} --yes`;
  const said = async () => /Batch (\w{16}):/.exec((await type(line)).stderr)?.[1];
  const id = await said();
  expect(id).toBeDefined();
  await type("profile set shop environment=sandbox");
  expect(await said()).toBe(id);
  rmSync(`${folder}/state/batches`, { recursive: true });
  expect(await said()).toBe(id);
  expect(["R-2", "R-3"].map((reference) => timesMoved(simulator, reference))).toEqual([1, 1]);
});

test("two changes without an order between them also make another account; undoing them finds the old orders", async ({
  simulator,
}) => {
  const { baseUrl, moved, type } = await paid(simulator);
  expect((await type("profile set shop environment=sandbox")).stderr).toBe("");
  expect((await type(`profile set shop baseUrl=${moved} --secrets-from -`)).stderr).toContain(isAnother(baseUrl));
  expect((await type("profile set shop environment=live")).stderr).toBe("");
  expect(await type("journal resolve --all")).toMatchObject({ exit: 0 });
  expect((await type("profile set shop environment=sandbox")).stderr).toBe("");
  expect((await type(order)).stderr).toContain("nothing was sent now");
  expect(timesMoved(simulator, "R-1")).toBe(1);
});

test("the suggested command to go back names the profile, even if another one is current", async ({ simulator }) => {
  const { baseUrl, moved, type } = await paid(simulator);
  const add = `profile add other --environment sandbox --base-url ${moved} --account-id vendor-9 --secrets-from -`;
  expect(await type(add)).toMatchObject({ exit: 0 });
  await type("profile use other");
  const { stderr } = await type(`profile set shop environment=sandbox baseUrl=${moved} --secrets-from -`);
  expect(stderr).toContain(isAnother(baseUrl));
  expect((await type("profile set shop environment=live")).stderr).toBe("");
  const [, command = ""] = /run partner (.*?), and/.exec(stderr) ?? [];
  expect((await type(command)).stderr).not.toContain("another account");
  expect((await type("profile set shop environment=sandbox")).stderr).toBe("");
  expect((await type(`-p shop ${order}`)).stderr).toContain("nothing was sent now");
  expect(timesMoved(simulator, "R-1")).toBe(1);
});

test("a change that does not affect the account does not contact the shared journal", async ({ simulator }) => {
  const { folder, type } = await paid(simulator);
  let asked = 0;
  const server = createServer((socket) => {
    asked += 1;
    socket.destroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const environment = {
    PARTNER_CONFIG_DIR: folder,
    PARTNER_JOURNAL_URL: `postgres://amina:x@127.0.0.1:${port}/journal`,
  };
  const set = await run(words("profile set shop limit.transfer=5000"), { now, environment });
  expect(set).toMatchObject({ exit: 0, stderr: "" });
  expect(asked).toBe(0);
  server.close();
  expect((await type("profile show shop --csv")).stdout).toContain("5000");
});

test("replacing a profile also says when it makes another account", async ({ simulator }) => {
  const { baseUrl, moved, type } = await paid(simulator);
  const add = `profile add shop --replace --environment sandbox --base-url ${moved} --account-id simulator --secrets-from -`;
  expect((await type(add)).stderr).toContain(isAnother(baseUrl));
});

test("a half-finished change that would join two accounts is reported at once", async ({ simulator }) => {
  const { baseUrl, moved, type } = await paid(simulator);
  const add = `profile add box --environment sandbox --base-url ${moved} --account-id simulator --secrets-from -`;
  expect(await type(add)).toMatchObject({ exit: 0 });
  // The address has no listener, so nothing is sent; the order is on record.
  expect(await type(`${order} --profile box --check-statement never`)).toMatchObject({ exit: 5 });
  const half = await type("profile set box environment=live");
  expect(half.exit).toBe(0);
  expect(half.stderr).toContain(
    `To the journal this makes one account of "live ${baseUrl} simulator" and "sandbox ${moved} simulator": an order that was made with one counts as made with the other. If they are two, change environment and baseUrl in one command before anything else.\n`,
  );
  expect((await type("profile set box environment=sandbox")).stderr).toBe("");
});
