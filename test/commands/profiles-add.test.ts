import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { PromptAborted } from "../../src/host/process/prompts.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { planted } from "./served.ts";
import { flags, secrets, terminal, test } from "./shell.ts";

const { secretKey, accessToken } = planted;

describe("profile add from a script", () => {
  test("keeps secrets from stdin readable by their owner alone, and makes the first profile current", async ({
    shell,
  }) => {
    const added = await shell.type(`profile add shop ${flags} --secrets-from - --json`, { stdin: secrets });
    expect(added).toMatchObject({ exit: 0, stdout: '{\n  "name": "shop",\n  "current": true\n}\n', stderr: "" });
    expect(added.asked).toEqual([]);
    expect(readdirSync(shell.folder).toSorted()).toEqual(["config.json", "credentials.json"]);
    for (const name of ["config.json", "credentials.json"])
      expect(statSync(join(shell.folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(shell.folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(shell.folder, "config.json"), "utf8")).not.toMatch(/planted/);
  });

  test.for(["Shop", "SHOP"])("given %j suggests the valid name", async (name, { shell }) => {
    const added = await shell.type(`profile add ${name} ${flags} --secrets-from -`, { stdin: secrets });
    expect(added).toMatchObject({ exit: 2, stdout: "" });
    expect(added.stderr).toContain(`The profile name "${name}" must be 1 to 32 lower-case letters`);
    expect(added.stderr).toContain("Hint: Write it like: shop\n");
  });

  test("takes secrets from a file", async ({ shell }) => {
    const path = join(temporaryFolder(), "secrets.json");
    writeFileSync(path, secrets);
    expect(await shell.type(`profile add shop ${flags} --secrets-from ${path}`)).toMatchObject({ exit: 0, stderr: "" });
    const { stdout } = await shell.type("profile show shop --csv --columns name,source --no-header");
    expect(stdout).toContain("secretKey,profile shop (credentials.json)\n");
    expect(stdout).toContain("webhookKey,not set\n");
  });

  test("refuses secrets together with a credential command, and adds no profile", async ({ shell }) => {
    const added = await shell.type(
      `profile add shop ${flags} --secret-store command --credential-command cat --secrets-from -`,
      { stdin: secrets },
    );
    expect(added).toMatchObject({ exit: 2, stdout: "" });
    expect(added.stderr).toContain("secretKey: cannot be kept: the credentialCommand gives it\n");
    expect(await shell.type("profile list --json")).toMatchObject({ stdout: "[]\n" });
  });

  test("takes secrets from the environment and from the files that it names", async ({ shell }) => {
    const path = join(temporaryFolder(), "token");
    writeFileSync(path, `${accessToken}\n`);
    const environment = { PARTNER_SECRET_KEY: secretKey, PARTNER_ACCESS_TOKEN_FILE: path };
    expect(await shell.type(`profile add shop ${flags}`, { environment })).toMatchObject({ exit: 0, stderr: "" });
    const kept: unknown = JSON.parse(readFileSync(join(shell.folder, "credentials.json"), "utf8"));
    expect(kept).toMatchObject({
      profiles: { shop: { secretKey: { value: secretKey }, accessToken: { value: accessToken } } },
    });
  });

  test("without secrets adds the profile and says how to enter them", async ({ shell }) => {
    const added = await shell.type(`profile add shop ${flags}`);
    expect(added.exit).toBe(0);
    expect(added.stderr).toMatch(
      /^It has no secrets yet\. Enter them: partner profile set shop \(it asks; in a script: --secrets-from FILE/,
    );
    const used = await shell.type("wallets list");
    expect(used).toMatchObject({ exit: 3, stdout: "" });
    expect(used.stderr).toMatch(
      /^Error: Profile shop has no secrets in .*credentials\.json: it was added without them/,
    );
  });

  test("reports everything missing or wrong at once, and writes nothing", async ({ shell }) => {
    const wrong = await shell.type(
      "profile add shop --environment prod --base-url http://api.example --secret-store vault",
    );
    expect(wrong).toMatchObject({ exit: 2, stdout: "" });
    for (const line of [
      "  --environment: must be one of live, sandbox, simulator\n",
      "  --base-url: must start with https://: http:// is only for this machine",
      "  --account-id: is missing\n",
      "  --secret-store: must be one of file, keyring, command\n",
    ])
      expect(wrong.stderr).toContain(line);
    expect((await shell.type("profile list --json")).stdout).toBe("[]\n");
  });

  const names = ["Shop", "shop.test", "a b", "-shop", "", "a".repeat(33), "тест", "../shop", "__proto__"];
  test.for(names)("refuses %j as a name: exit 2", async (name, { shell }) => {
    const environment = { PARTNER_CONFIG_DIR: shell.folder };
    const typed = ["profile", "add", ...words(flags), "--secrets-from", "-", "--", name];
    expect(await run(typed, { environment, stdin: secrets })).toMatchObject({ exit: 2, stdout: "" });
  });

  test.for(["constructor", "a", "0", "a".repeat(32), "a-b-", "hasownproperty"])(
    "accepts %s as a name",
    async (name, { shell }) => {
      expect(await shell.type(`profile add ${name} ${flags}`)).toMatchObject({ exit: 0 });
      expect((await shell.type("profile list --csv --columns name --no-header")).stdout).toBe(`${name}\n`);
      expect(await shell.type(`profile remove ${name}`)).toMatchObject({ exit: 0 });
    },
  );

  const inputs: readonly [string, string][] = [
    ["no JSON", `{"secretKey": ${secretKey}`],
    ["nothing", ""],
    ["a list", `["${secretKey}"]`],
    ["another key", `{"secretkey":"${secretKey}"}`],
    ["a number", '{"secretKey":12345}'],
    ["an empty secret", '{"secretKey":""}'],
    ["a line break", `{"secretKey":"${secretKey}\\n"}`],
    ["a webhook key that is no base64", `{"webhookKey":"${accessToken}"}`],
    ["a token with its scheme", `{"accessToken":"Bearer ${accessToken}"}`],
  ];
  test.for(inputs)("refuses stdin with %s, without printing it: %s", async ([, stdin], { shell }) => {
    expect(await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin })).toMatchObject({
      exit: 2,
      stdout: "",
    });
    expect((await shell.type("profile list --json")).stdout).toBe("[]\n");
  });

  test("does not print a password in an address", async ({ shell }) => {
    const address = `https://clerk:${accessToken}@api.example`;
    const wrong = await shell.type(`profile add shop --environment live --account-id v --base-url ${address}`);
    expect(wrong).toMatchObject({ exit: 2, stdout: "" });
  });

  test("refuses an existing name, and replaces the profile with --replace", async ({ shell }) => {
    await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
    expect(await shell.type(`profile add shop ${flags}`)).toMatchObject({ exit: 2, stdout: "" });
    expect(await shell.type(`profile add shop ${flags} --account-id v8 --replace`)).toMatchObject({ exit: 2 });
    expect(await shell.type(`profile add shop ${flags} --replace`)).toMatchObject({ exit: 0 });
    expect((await shell.type("profile show --csv")).stdout).toContain("secretKey,,not set\n");
  });
});

/** A person who presses Ctrl-C instead of answering. */
const prompts = () => Promise.reject(new PromptAborted("The question was not answered"));

describe("profile add on a terminal", () => {
  const answers = ["live", "https://api.example", "", "vendor-7", "file", secretKey, accessToken, "", false];

  test("asks for everything, hides secrets while they are typed, and keeps them", async ({ shell }) => {
    const added = await shell.type("profile add shop", { terminal, answers });
    expect(added).toMatchObject({
      exit: 0,
      stderr: "It was not checked. Check it before you need it: partner profile check shop\n",
    });
    expect(added.asked).toEqual([
      "Environment",
      "Base URL of the service",
      "Base URL of merchant accounts (empty: the same)",
      "Account id",
      "Where to keep the secrets",
      "The secret key (empty: none)",
      "The access token (empty: none)",
      "The webhook key (empty: none)",
      "Check it now? One harmless read for each credential.",
    ]);
    expect((await shell.type("profile show --csv --columns name,source")).stdout).toContain(
      "accessToken,profile shop (credentials.json)\n",
    );
  });

  test("after a failed check says how to correct the profile and how to check it again", async ({ shell }) => {
    const refused = ["live", "http://127.0.0.1:9", "", "vendor-7", "file", secretKey, "", "", true];
    const added = await shell.type("profile add shop", { terminal, answers: refused });
    expect(added).toMatchObject({ exit: 0, stderr: expect.stringContaining("Could not connect to 127.0.0.1:9") });
    expect(added.stderr).toContain(
      "Correct it with partner profile set shop, and check it again: partner profile check shop\n",
    );
  });

  test("asks only for what flags and environment do not give", async ({ shell }) => {
    const added = await shell.type(`profile add shop ${flags} --secret-store file`, {
      terminal,
      environment: { PARTNER_SECRET_KEY: secretKey },
      answers: ["https://bank.example", "", "", false],
    });
    expect(added.exit).toBe(0);
    expect(added.asked).toEqual([
      "Base URL of merchant accounts (empty: the same)",
      "The access token (empty: none)",
      "The webhook key (empty: none)",
      "Check it now? One harmless read for each credential.",
    ]);
  });

  test("without secrets offers no check and says how to enter them", async ({ shell }) => {
    const line = `profile add shop ${flags} --secret-store file`;
    const added = await shell.type(line, { terminal, answers: ["", "", "", ""] });
    expect(added.exit).toBe(0);
    expect(added.asked?.at(-1)).toBe("The webhook key (empty: none)");
    expect(added.stderr).toContain("It has no secrets yet. Enter them: partner profile set shop");
    const replaced = await shell.type(`${line} --replace`, {
      terminal,
      answers: ["", "", "", "d2ViaG9vay1zaWduaW5nLWtleS0wMQ=="],
    });
    expect(replaced).toMatchObject({ exit: 0 });
    expect(replaced.asked?.at(-1)).toBe("The webhook key (empty: none)");
  });

  test("asks for the command that prints the secrets, and then for no secret", async ({ shell }) => {
    const added = await shell.type(`profile add shop ${flags}`, {
      terminal,
      answers: ["", "command", "print-secrets --all", false],
    });
    expect(added).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/^It was not checked\..*: partner profile check shop\n$/),
    });
    expect((await shell.type("profile show --csv")).stdout).toContain(
      "credentialCommand,print-secrets --all,profile shop\n",
    );
  });

  test("keeps the profile when its check cannot read the secrets", async ({ shell }) => {
    const added = await shell.type(`profile add shop ${flags}`, {
      terminal,
      answers: ["", "command", "print-no-secrets", true],
    });
    expect(added).toMatchObject({ exit: 0, stderr: expect.stringContaining("It could not be checked: ") });
    expect((await shell.type("profile list --json")).stdout).toContain('"shop"');
  });

  test("ends with 130 after Ctrl-C, and keeps nothing", async ({ shell }) => {
    expect(await shell.type("profile add shop", { terminal, host: { prompts } })).toMatchObject({
      exit: 130,
      stdout: "",
    });
    const stopped = { prompts, signal: AbortSignal.abort("SIGTERM") };
    expect(await shell.type("profile add shop", { terminal, host: stopped })).toMatchObject({ exit: 143, stdout: "" });
    expect((await shell.type("profile list --json")).stdout).toBe("[]\n");
  });

  test("refuses an invalid or existing name before the first question", async ({ shell }) => {
    await shell.type(`profile add shop ${flags}`);
    for (const name of ["shop", "Shop"]) {
      const refused = await shell.type(`profile add ${name}`, { terminal });
      expect(refused).toMatchObject({ exit: 2, stdout: "", asked: [] });
    }
  });

  const silent: readonly [string, string, World][] = [
    ["--no-input", "--no-input", { terminal }],
    ["PARTNER_NO_INPUT", "", { terminal, environment: { PARTNER_NO_INPUT: "1" } }],
    ["a stdin that is no terminal", "", { terminal: { ...terminal, stdin: false } }],
    ["a stderr that is no terminal", "", { terminal: { ...terminal, stderr: false } }],
  ];
  test.for(silent)("asks nothing with %s", async ([, more, world], { shell }) => {
    expect(await shell.type(`profile add shop ${more}`, world)).toMatchObject({ exit: 2, stdout: "", asked: [] });
  });
});
