import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { PromptAborted } from "../../src/host/process/prompts.ts";
import { temporaryFolder } from "../memory-host.ts";
import { hasTmux, openTerminal } from "../terminal.ts";
import { planted } from "./served.ts";
import { flags, secrets, terminal, test } from "./shell.ts";

/** Ctrl-C at a question. */
function leave(): never {
  throw new PromptAborted("The question was not answered");
}

describe("profile set NAME alone on a terminal", () => {
  test("asks what to change until the person is done, saves each change, and hides secrets", async ({ shell }) => {
    await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
    const answers = [
      "accountId",
      "vendor-9",
      "callbackUrl",
      "https://hooks.example/x",
      "secretKey",
      "another-secret-key-000",
      "done",
    ];
    const set = await shell.type("profile set shop", { terminal, answers });
    expect(set).toMatchObject({ exit: 0, stderr: "" });
    expect(set.asked.filter((message) => message.startsWith("What should"))).toHaveLength(4);
    const { profiles } = JSON.parse(readFileSync(join(shell.folder, "config.json"), "utf8"));
    expect(profiles.shop).toMatchObject({ accountId: "vendor-9", callbackUrl: "https://hooks.example/x" });
    expect(readFileSync(join(shell.folder, "credentials.json"), "utf8")).toContain("another-secret-key-000");
    expect(set.stdout).not.toContain("another-secret");
  });

  test("reports what was already saved when a question is aborted", async ({ shell }) => {
    await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
    const answers = [
      "callbackUrl",
      "https://hooks.example/x",
      "secretKey",
      "another-secret-key-000",
      "accountId",
      leave,
    ];
    const left = await shell.type("profile set shop", { terminal, answers });
    expect(left).toMatchObject({ exit: 130, stderr: expect.not.stringContaining("Nothing was done") });
    expect(left.stderr).toContain("The question was not answered. Saved before it: callbackUrl, secret key.\n");
    expect((await shell.type("profile show shop --csv")).stdout).toContain("https://hooks.example/x");
    const nothing = await shell.type("profile set shop", { terminal, answers: ["callbackUrl", leave] });
    expect(nothing).toMatchObject({ exit: 130, stdout: "", stderr: expect.stringContaining("Nothing was done") });
  });

  test("pasted answers lose surrounding blanks and line breaks", async ({ shell }) => {
    const answers = [
      "live",
      " https://api.example/x ",
      "",
      " vendor-7\n",
      "file",
      "\n pasted-key-0001 \r\n",
      "",
      "",
      false,
    ];
    const added = await shell.type("profile add shop", { terminal, answers });
    expect(added.exit).toBe(0);
    const { profiles } = JSON.parse(readFileSync(join(shell.folder, "config.json"), "utf8"));
    expect(profiles.shop).toMatchObject({ accountId: "vendor-7", baseUrl: "https://api.example/x" });
    const kept = JSON.parse(readFileSync(join(shell.folder, "credentials.json"), "utf8"));
    expect(kept.profiles.shop.secretKey.value).toBe("pasted-key-0001");
    const changes = ["secretKey", " pasted-key-0002\n", "accountId", " vendor-8 ", "done"];
    expect(await shell.type("profile set shop", { terminal, answers: changes })).toMatchObject({ exit: 0 });
    expect(readFileSync(join(shell.folder, "credentials.json"), "utf8")).toContain('"pasted-key-0002"');
  });

  test.for([
    ["no address of the service", ["live", ""]],
    ["an address without a scheme", ["live", "api.example"]],
    ["an address of merchant accounts without a scheme", ["live", "https://api.example/x", "merchants.example"]],
    ["no account", ["live", "https://api.example/x", "", ""]],
  ] as const)("%s is not accepted as an answer", async ([, answers], { shell }) => {
    const asked = await shell.type("profile add shop", { terminal, answers: [...answers] });
    expect(asked.stderr).toContain("was not accepted: It ");
  });

  test("a dash removes an optional value but not a required one", async ({ shell }) => {
    await shell.type(`profile add shop ${flags} --callback-url https://hooks.example/x --secrets-from -`, {
      stdin: secrets,
    });
    const set = await shell.type("profile set shop", {
      terminal,
      answers: ["callbackUrl", "-", "accountId", "-", "done"],
    });
    expect(set.exit).toBe(0);
    expect(set.stderr).toContain("accountId");
    const { profiles } = JSON.parse(readFileSync(join(shell.folder, "config.json"), "utf8"));
    expect(profiles.shop.callbackUrl).toBeUndefined();
    expect(profiles.shop.accountId).toBe("vendor-7");
  });

  test("choosing nothing changes nothing, and off a terminal the command ends with 2", async ({ shell }) => {
    await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
    expect(await shell.type("profile set shop", { terminal, answers: ["done"] })).toMatchObject({
      exit: 0,
      stdout: "",
    });
    expect(await shell.type("profile set shop")).toMatchObject({ exit: 2, stdout: "" });
    expect(await shell.type("profile set shop --no-input", { terminal })).toMatchObject({ exit: 2, stdout: "" });
  });
});

describe("profile remove", () => {
  test("asks on a terminal, and removes nothing after a no", async ({ shell }) => {
    await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
    expect(await shell.type("profile remove shop", { terminal, answers: [false] })).toMatchObject({
      exit: 130,
      stdout: "",
      stderr: "Nothing was removed.\n",
    });
    expect((await shell.type("profile list --csv --no-header")).stdout).toContain("shop,");
    expect(await shell.type("profile remove shop", { terminal, answers: [true] })).toMatchObject({ exit: 0 });
    expect((await shell.type("profile list --csv --no-header")).stdout).toBe("");
  });

  test("confirms on a terminal what was removed", async ({ shell }) => {
    await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
    const person = { terminal: { stdin: true, stdout: true, stderr: true }, answers: [true] };
    expect(await shell.type("profile remove shop", person)).toMatchObject({
      exit: 0,
      stdout: "Removed the profile shop.\n",
    });
  });

  test("does not ask with --yes or in a script", async ({ shell }) => {
    for (const [line, world] of [
      ["profile remove shop --yes", { terminal }],
      ["profile remove shop", {}],
    ] as const) {
      await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
      expect(await shell.type(line, world)).toMatchObject({ exit: 0 });
    }
  });
});

describe("in a shell whose variables name another account", () => {
  const environment = {
    PARTNER_BASE_URL: "http://127.0.0.1:8080/partner/v1",
    PARTNER_ACCOUNT_ID: "simulator",
    PARTNER_SECRET_KEY: "the-simulators-own-key",
  };
  const line = `profile add shop ${flags} --account-base-url https://api.example/m --secret-store file`;
  const before =
    "In this shell variables count before profiles: PARTNER_BASE_URL, PARTNER_ACCOUNT_ID, PARTNER_SECRET_KEY. To use shop: --profile shop\n";

  test("profile add asks for the secrets, and says that the variables override it", async ({ shell }) => {
    const answers = [planted.secretKey, "", "", false];
    const added = await shell.type(line, { terminal, answers, environment });
    expect(added.exit).toBe(0);
    expect(added.asked.slice(0, 3)).toEqual([
      expect.stringContaining("The secret key"),
      expect.stringContaining("The access token"),
      expect.stringContaining("The webhook key"),
    ]);
    expect(added.stderr).toContain(before);
    expect(added.stderr).toContain("Not taken, because the variables name another address: PARTNER_SECRET_KEY\n");
    const kept = JSON.parse(readFileSync(join(shell.folder, "credentials.json"), "utf8"));
    expect(kept.profiles.shop.secretKey.value).toBe(planted.secretKey);
    expect((await shell.type("profile use shop", { terminal, environment })).stderr).toBe(before);
  });

  test("profile add takes a secret for the same address from the variables instead of asking", async ({ shell }) => {
    const same = { ...environment, PARTNER_BASE_URL: "https://api.example/tembo/v1" };
    const added = await shell.type(line, { terminal, answers: ["", "", false], environment: same });
    expect(added.stderr).toContain("Taken from variables, so not asked for: PARTNER_SECRET_KEY\n");
    expect(added.asked).toEqual(["The access token (empty: none)", "The webhook key (empty: none)", expect.anything()]);
  });
});

test("profile add offers a check, and keeps the profile even if it fails", async ({ shell, simulator }) => {
  const at = `--environment simulator --base-url ${simulator.baseUrl} --account-base-url ${simulator.accountBaseUrl} --account-id ${simulator.accountId} --secret-store file`;
  const right = [simulator.secretKey, simulator.accessToken, "", true];
  const added = await shell.type(`profile add shop ${at}`, { terminal, answers: right });
  expect(added.exit).toBe(0);
  expect(added.stderr).toMatch(/^account id and secret key: .+\naccess token: .+\n$/);
  const wrong = await shell.type(`profile add other ${at}`, { terminal, answers: [planted.secretKey, "", "", true] });
  expect(wrong.exit).toBe(0);
  expect(wrong.stderr).toContain("account id and secret key: ");
  expect((await shell.type("profile list --csv --no-header")).stdout).toContain("other,");
});

describe.skipIf(!hasTmux)("simulator run -- bash", () => {
  test("marks the prompt even if .bashrc changes it (needs tmux)", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, ".bashrc"), "PS1='mine> '\nPROMPT_COMMAND=\"PS1='again> '\"\n");
    const shown = openTerminal(["simulator", "run", "--", "bash"], { HOME: home, TMPDIR: home });
    expect(await shown.shows("(simulator) again>")).toContain("Money in this shell is not real");
    shown.type("echo $PARTNER_ENVIRONMENT");
    shown.press("Enter");
    await shown.shows("\nsimulator\n");
    shown.type("exit 3");
    shown.press("Enter");
    expect(
      await shown.shows("The simulator is stopped. Money in the shell where you are now can be real."),
    ).toBeDefined();
  });
});

describe.skipIf(!hasTmux)("the questions of profile set NAME", () => {
  test("show the secrets without scrolling (needs tmux)", async ({ shell }) => {
    await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
    const shown = openTerminal(["profile", "set", "shop"], { PARTNER_CONFIG_DIR: shell.folder, HOME: shell.folder });
    expect(await shown.shows("webhook key")).toMatch(/accountId: vendor-7[^]*secret key[^]*access token/);
  });

  test("show which secrets are stored and which are not set (needs tmux)", async ({ shell }) => {
    await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
    const shown = openTerminal(["profile", "set", "shop"], { PARTNER_CONFIG_DIR: shell.folder, HOME: shell.folder });
    expect(await shown.shows("webhook key")).toMatch(
      /secret key: \*{8}\n\s*access token: \*{8}\n\s*webhook key: not set\n/,
    );
  });
});
