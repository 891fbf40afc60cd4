import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import { temporaryFolder } from "../memory-host.ts";
import { compiled, program } from "../program.ts";
import type { Shell } from "./shell.ts";
import { flags, secrets, terminal, test as atShell } from "./shell.ts";
import { now } from "../simulated.ts";

// A message ends with a command that helps. It must work exactly as printed.

/** A shell with the current profile `shop`, and the profile `lake` for the simulator. */
const test = atShell.extend<{ readonly desk: Shell }>({
  desk: async ({ shell, simulator }, use) => {
    const { secretKey, accessToken, accountId, baseUrl, accountBaseUrl } = simulator;
    const at = `--environment simulator --base-url ${baseUrl} --account-base-url ${accountBaseUrl}`;
    const stdin = JSON.stringify({ secretKey, accessToken });
    await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
    await shell.type(`profile add lake ${at} --account-id ${accountId} --secrets-from -`, { stdin });
    await use({ ...shell, type: (line, world) => shell.type(line, { now, ...world }) });
  },
});

const pay = "transfer --from 9000112233 --to 9000112244 --amount 1000 --description x --reference R-1 --yes";
/** The command at the end of the stderr line that begins like this. */
const suggested = (stderr: string, start = "Hint: ") =>
  new RegExp(`^${start}.*: partner (.*)$`, "m").exec(stderr)?.[1] ?? "";

describe("a payment of --profile NAME whose answer was lost", () => {
  test("is resolved by the suggested command", async ({ desk, faults }) => {
    faults.loseNextAnswer();
    const lost = await desk.type(`${pay} -p lake`);
    expect(lost.exit).toBe(6);
    expect(suggested(lost.stderr)).toMatch(/^-p lake journal resolve [\w-]{36}$/);
    const found = await desk.type(`${suggested(lost.stderr)} --json`);
    expect(found).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
  });

  test("is also named in the hint of the JSON error", async ({ desk, faults }) => {
    faults.loseNextAnswer();
    const { stderr } = await desk.type(`--profile=lake ${pay} --json`);
    const { error } = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "");
    expect(error.hint).toMatch(/: partner -p lake journal resolve [\w-]{36}$/);
  });

  test("is not resolved by another profile, which suggests the right one", async ({ desk, faults }) => {
    faults.loseNextAnswer();
    await desk.type(`${pay} -p lake`);
    const elsewhere = await desk.type("journal resolve R-1");
    expect(elsewhere).toMatchObject({ exit: 6, stdout: expect.stringContaining("partner -p lake journal resolve") });
    expect(suggested(elsewhere.stderr)).toMatch(/^-p lake journal resolve [\w-]{36}$/);
    expect(await desk.type(suggested(elsewhere.stderr))).toMatchObject({ exit: 0 });
  });

  test("gets no suggestion of its own profile after that was changed to another account", async ({ desk, faults }) => {
    faults.loseNextAnswer();
    await desk.type(`${pay} -p lake`);
    expect(await desk.type("profile set lake accountId=other-9")).toMatchObject({ exit: 0 });
    const words = "Profile lake leads to another account here. Ask with one that leads to";
    const one = await desk.type("journal resolve R-1 -p lake");
    expect(one).toMatchObject({ exit: 6, stdout: expect.stringContaining(`${words} its account: --profile NAME`) });
    expect(one.stderr).toContain(`Hint: Do not send it again. ${words} its account: --profile NAME\n`);
    const refused = await desk.type('journal resolve R-1 --as refused --evidence "ticket" -p lake');
    expect(refused.stderr).toContain(`Hint: ${words} its account: --profile NAME. To decide without it,`);
    const all = await desk.type("journal resolve --all -p lake");
    expect(all.stderr).toContain(`unknown or pending. ${words} theirs: --profile NAME\n`);
  });

  test("is not called refused by another profile before its own was asked", async ({ desk, faults }) => {
    faults.loseNextAnswer();
    await desk.type(`${pay} -p lake`);
    const refused = await desk.type('journal resolve R-1 --as refused --evidence "ticket"');
    expect(refused.exit).toBe(5);
    expect(refused.stderr).not.toContain("Try again later");
    expect(refused.stderr).toMatch(/^Hint: .*: partner -p lake journal resolve [\w-]{36}\. .*--unchecked\.$/m);
  });

  test("is mentioned by journal resolve --all of another profile", async ({ desk, faults }) => {
    faults.loseNextAnswer();
    await desk.type(`${pay} -p lake`);
    const all = await desk.type("journal resolve --all");
    expect(all).toMatchObject({ exit: 0, stdout: "" });
    expect(all.stderr).toContain("No order of this account is unknown or pending.\n");
    expect(all.stderr).toContain(
      "1 order of another account is unknown or pending: partner -p lake journal resolve --all\n",
    );
    expect(await desk.type("-p lake journal resolve --all")).toMatchObject({ exit: 0 });
    expect((await desk.type("journal resolve --all")).stderr).not.toContain("another account");
  });
});

test("the suggested decision of a person includes the profile", async ({ desk, faults }) => {
  faults.plan("lose-answer=transfer");
  faults.plan("lose-row=transfer");
  await desk.type(`${pay} -p lake`);
  const { stdout } = await desk.type("journal resolve R-1 -p lake", { terminal });
  expect(stdout).toMatch(/partner -p lake journal resolve \S+ --as accepted\|refused/);
});

describe("with --profile NAME, a suggested command", () => {
  test.for([
    ["reads that account", "wallet balance 1111111111 -p lake", "partner -p lake wallets list."],
    ["changes no other words", "transfer -p lake", "See what it takes: partner transfer --help."],
    [
      "that names a profile stays",
      "profile add lake -p lake --environment live",
      "partner profile set lake KEY=VALUE.",
    ],
    ["meant by a mistyped one is of that account", "wallets lst -p lake", "partner -p lake wallets list"],
    ["about no account stays", "profile lst -p lake", "partner profile list"],
  ] as const)("%s: %s", async ([, line, words], { desk }) => {
    expect((await desk.type(line)).stderr).toContain(words);
  });
});

test.for(["wallets list -p lake", "profile check lake"])(
  "credentials that %s finds expired are shown and entered by the suggested commands",
  async (line, { desk, simulator }) => {
    await desk.type("profile set lake --secrets-from -", { stdin: JSON.stringify({ secretKey: "expired" }) });
    const { exit, stderr } = await desk.type(line);
    expect(exit).toBe(3);
    const [, show = "", set = ""] = /used: partner (.*?)\. .*again: partner (.*?) \(it asks;/.exec(stderr) ?? [];
    expect([show, set]).toEqual(["-p lake profile show", "profile set lake"]);
    expect((await desk.type(`${show} --csv`)).stdout).toContain(`accountId,${simulator.accountId},`);
    const answers = ["secretKey", simulator.secretKey, "done"];
    expect(await desk.type(set, { terminal, answers })).toMatchObject({ exit: 0 });
    expect(await desk.type(line)).toMatchObject({ exit: 0 });
  },
);

describe("a description that looks like a suggested command", () => {
  const worded = pay.replace("--description x", '--description "July partner transfer"');

  test("is shown unchanged in the question", async ({ desk }) => {
    const { stderr } = await desk.type(`${worded.replace(" --yes", "")} -p lake`, { terminal, answers: ["no"] });
    expect(stderr).toMatch(/^ {2}description +July partner transfer$/m);
  });

  test("is kept in the command without questions", async ({ desk }) => {
    const asked = worded.replace(" --amount 1000", "").replace(" --yes", "");
    const { stderr } = await desk.type(`${asked} -p lake`, { terminal, answers: ["1000", "yes"] });
    expect(stderr).toContain("questions: partner transfer ");
    expect(stderr).toContain(" --description 'July partner transfer' ");
  });

  test("is kept in the JSON of an error", async ({ desk }) => {
    await desk.type(`${worded} -p lake`);
    const { exit, stderr } = await desk.type(`${worded.replace("July", "June")} -p lake --json`);
    expect(exit).toBe(2);
    const { error } = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "");
    expect(JSON.stringify(error.details)).toContain("July partner transfer");
    expect(error.hint).toMatch(/: partner -p lake journal show [\w-]{36}$/);
  });
});

test("without --profile, a suggested command has no profile either", async ({ desk }) => {
  await desk.type("profile use lake");
  expect((await desk.type("wallet balance 1111111111")).stderr).toContain("See which there are: partner wallets list.");
});

test("a secret for an old address can be entered again by the suggested command", async ({ shell }) => {
  await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
  const moved = await shell.type("profile set shop baseUrl=https://api2.example/tembo/v1");
  expect(moved.stderr).toContain('with {"secretKey":"…","accessToken":"…"} in it');
  const [, command = ""] = /Enter again: partner (.*?) \(it asks;/.exec(moved.stderr) ?? [];
  const answers = ["secretKey", "a-new-secret-key-1", "done"];
  expect(await shell.type(command, { terminal, answers })).toMatchObject({ exit: 0 });
  expect((await shell.type("profile show shop --csv")).stdout).toMatch(/^secretKey,\*+/m);
});

test("after a payment to an unknown account, the suggested command lists the wallets", async ({ desk }) => {
  await desk.type("profile use lake");
  const refused = await desk.type(pay.replace("9000112244", "9000112245"));
  expect(refused.exit).toBe(4);
  const [, command = ""] =
    /^Hint: Check the accounts: partner (.*)\. The reference can be used again\.$/m.exec(refused.stderr) ?? [];
  expect((await desk.type(command)).stdout).toContain("9000112244");
});

test("what an empty ledger lacks is found after the suggested sync", async ({ desk }) => {
  await desk.type("profile use lake");
  const find = "find 9000112244 --offline";
  const nothing = await desk.type(find);
  expect(nothing.exit).toBe(4);
  expect(suggested(nothing.stderr)).toBe("ledger sync");
  expect(await desk.type(suggested(nothing.stderr))).toMatchObject({ exit: 0 });
  expect(await desk.type(find)).toMatchObject({ exit: 0 });
});

test("without any profile, each of the suggested ways reads wallets", async ({ shell, simulator, skip }) => {
  skip(process.platform === "win32", "needs sh");
  const folder = temporaryFolder();
  writeFileSync(join(folder, "partner"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  });
  const lost = await shell.type("wallets list");
  expect(lost.exit).toBe(3);
  const [, add = "", variables = "", without = ""] =
    /Make one: partner (.*)\. Or set (.*)\. To try .*: (partner .*)$/m.exec(lost.stderr) ?? [];
  const env = { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder, ...compiled };
  const tried = spawnSync("sh", ["-c", without], { env, encoding: "utf8" });
  expect(tried).toMatchObject({ status: 0, stdout: expect.stringContaining("9000112233") });
  const named = variables.split(/, | and /).map((name) => [name, environmentFor(simulator)[name] ?? ""]);
  const given = await shell.type("wallets list", { environment: Object.fromEntries(named) });
  expect(given).toMatchObject({ exit: 0, stdout: expect.stringContaining("9000112233") });
  const { baseUrl, accountId, secretKey } = simulator;
  const at = `--environment simulator --base-url ${baseUrl} --account-id ${accountId} --secrets-from -`;
  await shell.type(`${add.replace("NAME", "lake")} ${at}`, { stdin: JSON.stringify({ secretKey }) });
  expect(await shell.type("wallets list")).toMatchObject({ exit: 0, stdout: given.stdout });
});
