import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { errorIn, leaksIn, planted } from "./served.ts";
import type { Shell } from "./shell.ts";
import { flags, secrets, terminal, test as atShell } from "./shell.ts";

const { secretKey, accessToken } = planted;

const test = atShell.extend<{ readonly shop: Shell }>({
  shop: async ({ shell }, use) => {
    await shell.type(`profile add shop ${flags} --secrets-from -`, { stdin: secrets });
    await shell.type("profile add till --environment sandbox --base-url http://localhost:1 --account-id v8");
    await use(shell);
  },
});

describe("profile", () => {
  test("list shows which profile is current, in every format", async ({ shop }) => {
    expect((await shop.type("profile list")).stdout)
      .toBe(`profile  current  environment  base URL                       account id  secrets
shop     yes      live         https://api.example/tembo/v1/  vendor-7    file
till     no       sandbox      http://localhost:1             v8          file
`);
    expect((await shop.type("profile list --csv")).stdout).toBe(`name,current,environment,baseUrl,accountId,secretStore
shop,true,live,https://api.example/tembo/v1/,vendor-7,file
till,false,sandbox,http://localhost:1,v8,file
`);
    expect((await shop.type("profile list --output ndjson --columns name,current")).stdout).toBe(
      '{"name":"shop","current":true}\n{"name":"till","current":false}\n',
    );
  });

  test("set --secrets-from - on a terminal says that it waits for input", async ({ shop }) => {
    const line = "profile set shop --secrets-from -";
    const told = "Paste the secrets as JSON, then press Enter and Ctrl-D. They are shown as they come.\n";
    expect(await shop.type(line, { stdin: secrets, terminal })).toMatchObject({ exit: 0, stderr: told });
    expect(await shop.type(`${line} --quiet`, { stdin: secrets, terminal })).toMatchObject({ exit: 0, stderr: "" });
    expect(await shop.type(line, { stdin: secrets })).toMatchObject({ exit: 0, stderr: "" });
  });

  test("use makes another profile current", async ({ shop }) => {
    expect(await shop.type("profile use till --json")).toMatchObject({
      exit: 0,
      stdout: '{\n  "name": "till",\n  "current": true\n}\n',
    });
    expect((await shop.type("profile show --csv")).stdout).toContain("\nprofile,till,current\n");
  });

  test("show follows the flag before PARTNER_PROFILE, and that before the current profile", async ({ shop }) => {
    const environment = { PARTNER_PROFILE: "till" };
    expect((await shop.type("profile show --csv", { environment })).stdout).toContain("profile,till,PARTNER_PROFILE\n");
    expect((await shop.type("profile show -p shop --csv", { environment })).stdout).toContain(
      "profile,shop,--profile\n",
    );
    expect((await shop.type("profile show shop --csv", { environment })).stdout).toContain("profile,shop,--profile\n");
  });

  test("show names each source and masks each secret", async ({ shop }) => {
    expect((await shop.type("profile show --csv")).stdout).toBe(`name,value,source
profile,shop,current
environment,live,profile shop
baseUrl,https://api.example/tembo/v1/,profile shop
accountBaseUrl,https://api.example/tembo/v1/,same as baseUrl
accountId,vendor-7,profile shop
callbackUrl,,not set
secretStore,file,profile shop
credentialCommand,,not set
secretKey,********${secretKey.slice(-4)},profile shop (credentials.json)
accessToken,********${accessToken.slice(-4)},profile shop (credentials.json)
webhookKey,,not set
`);
  });

  test("set changes values, and names the secrets that do not apply to a new address", async ({ shop }) => {
    expect(await shop.type("profile set shop accountId=vendor-9 callbackUrl=https://hooks.example/x")).toMatchObject({
      exit: 0,
      stderr: "",
    });
    const moved = await shop.type("profile set shop baseUrl=https://other.example");
    expect(moved.exit).toBe(0);
    expect(moved.stderr).toMatch(
      /^Entered for the old address, so not used for the new one: secret key, access token\./,
    );
    const used = await shop.type("wallets list --json");
    expect(used).toMatchObject({ exit: 3, stdout: "" });
    expect(errorIn(used)["message"]).toMatch(
      /was entered for https:\/\/api\.example\/tembo\/v1\/? and is not used for/,
    );
    expect(await shop.type("profile set shop --secrets-from -", { stdin: secrets })).toMatchObject({ exit: 0 });
    expect((await shop.type("profile show --csv")).stdout).not.toContain("not usable");
  });

  const changes: readonly [string, RegExp][] = [
    ["", /^Error: There is nothing to change\./],
    ["baseurl=https://x.example", /; baseUrl is\./],
    [`secretKey=${secretKey}`, /^Error: secretKey is a secret, and other users can read command lines/],
    [secretKey, /^Error: A change must look like key=value/],
    ["environment=prod", /^Error: environment must be one of live, sandbox, simulator/],
    ["accountId=", /^Error: accountId is missing/],
    ["baseUrl=http://api.example", /^Error: baseUrl must start with https/],
    ["secretStore=keyring", /^Error: secretStore cannot be changed/],
    ["accountId=a accountId=b", /^Error: accountId is given twice/],
  ];
  test.for(changes)("set shop %s is refused: exit 2, nothing changed", async ([change, says], { shop }) => {
    const before = readFileSync(join(shop.folder, "config.json"), "utf8");
    const refused = await shop.type(`profile set shop ${change}`);
    expect(refused).toMatchObject({ exit: 2, stdout: "" });
    expect(refused.stderr).toMatch(says);
    expect(readFileSync(join(shop.folder, "config.json"), "utf8")).toBe(before);
  });

  test("remove deletes the profile and its secrets", async ({ shop }) => {
    const removed = await shop.type("profile remove shop");
    expect(removed).toMatchObject({
      exit: 0,
      stderr: "No profile is the current one now. Choose one: partner profile use till\n",
    });
    expect(readFileSync(join(shop.folder, "credentials.json"), "utf8")).not.toContain(secretKey);
    expect((await shop.type("profile list --csv --columns name --no-header")).stdout).toBe("till\n");
    const used = await shop.type("wallets list");
    expect(used).toMatchObject({ exit: 3, stdout: "" });
    expect(used.stderr).toContain("partner profile use till");
  });

  test.for(["use", "set", "remove", "show", "check"])("%s ends with 3 for an unknown name", async (verb, { shop }) => {
    const missing = await shop.type(`profile ${verb} shp${verb === "set" ? " accountId=a" : ""} --json`);
    expect(missing).toMatchObject({ exit: 3, stdout: "" });
    expect(errorIn(missing)["hint"]).toMatch(/^Did you mean shop\? There are: shop, till\./);
  });

  const damages: readonly [string, string, (folder: string) => void][] = [
    ["config.json cut in half", "wallets list", (folder) => cut(join(folder, "config.json"))],
    [
      "config.json of garbage",
      "profile list",
      (folder) => writeFileSync(join(folder, "config.json"), `{"x": ${secretKey}`),
    ],
    ["an empty config.json", "profile use shop", (folder) => writeFileSync(join(folder, "config.json"), "")],
    ["a folder for config.json", "profile list", (folder) => replaceByFolder(join(folder, "config.json"))],
    [
      "config.json of a later version",
      "profile list",
      (folder) => writeFileSync(join(folder, "config.json"), '{"version":2}'),
    ],
    ["credentials.json cut in half", "wallets list", (folder) => cut(join(folder, "credentials.json"))],
    [
      "credentials.json that others may read",
      "wallets list",
      (folder) => chmodSync(join(folder, "credentials.json"), 0o640),
    ],
    ["a folder that others may write to", "wallets list", (folder) => chmodSync(folder, 0o777)],
  ];
  test.for(damages)("errors print no secrets and change no file, exit 3: %s", async ([, line, damage], { shop }) => {
    damage(shop.folder);
    const before = contentsOf(shop.folder);
    const used = await shop.type(`${line} --json`);
    expect(used).toMatchObject({ exit: 3, stdout: "" });
    expect(errorIn(used)).toMatchObject({ ending: "setup", hint: expect.any(String) });
    expect(contentsOf(shop.folder)).toEqual(before);
  });

  test("variables that are incomplete, given twice or invalid end with 3", async ({ shop }) => {
    for (const environment of [
      { PARTNER_ACCOUNT_ID: "other" },
      { PARTNER_SECRET_KEY: secretKey },
      { PARTNER_SECRET_KEY: secretKey, PARTNER_SECRET_KEY_FILE: "/x", PARTNER_ACCOUNT_ID: "a" },
      { PARTNER_BASE_URL: "https://a.example", PARTNER_BASE_URL_FILE: "/x" },
      { PARTNER_ACCESS_TOKEN_FILE: "/nowhere/token" },
      { PARTNER_ENVIRONMENT: "prod" },
      { PARTNER_PROFILE: "a.b" },
    ]) {
      const used = await shop.type("account balance 1 --json", { environment });
      expect(used).toMatchObject({ exit: 3, stdout: "" });
    }
  });

  test("list without a home folder ends with 3 and names both variables", async ({ shop }) => {
    for (const HOME of ["", "/"]) {
      const used = await shop.type("profile list", { environment: { PARTNER_CONFIG_DIR: "", HOME } });
      expect(used).toMatchObject({ exit: 3, stdout: "" });
      expect(used.stderr).toMatch(/PARTNER_CONFIG_DIR and PARTNER_STATE_DIR/);
    }
  });
});

describe("profile check", () => {
  test("makes one read with each group's credentials", async ({ shell, simulator }) => {
    const at = `--environment simulator --base-url ${simulator.baseUrl} --account-base-url ${simulator.accountBaseUrl}`;
    const given = { secretKey: simulator.secretKey, accessToken: simulator.accessToken };
    await shell.type(`profile add sim ${at} --account-id ${simulator.accountId} --secrets-from -`, {
      stdin: JSON.stringify(given),
    });
    expect(await shell.type("profile check")).toMatchObject({
      exit: 0,
      stdout: `group  credentials                result
A      account id and secret key  accepted, ${simulator.wallets.length} wallets
B      access token               accepted
`,
      stderr: "",
    });
    expect((await shell.type("profile check sim --json")).stdout).toContain('"result": "accepted"');
  });

  test("reports the merchant group as not set up when there is no token", async ({ shell, simulator }) => {
    const at = `--environment simulator --base-url ${simulator.baseUrl} --account-id ${simulator.accountId}`;
    await shell.type(`profile add sim ${at} --secrets-from -`, {
      stdin: JSON.stringify({ secretKey: simulator.secretKey }),
    });
    expect((await shell.type("profile check --csv --columns group,result")).stdout).toBe(
      `group,result\nA,"accepted, ${simulator.wallets.length} wallets"\nB,not set up\n`,
    );
  });

  const wrong: readonly [string, Record<string, string>, RegExp][] = [
    ["a wrong secret key", { PARTNER_SECRET_KEY: secretKey }, /did not accept the account id and secret key \(401/],
    ["a wrong access token", { PARTNER_ACCESS_TOKEN: accessToken }, /did not accept the access token \(401/],
    [
      "an account id that is another's",
      { PARTNER_ACCOUNT_ID: "somebody" },
      /did not accept the account id and secret key/,
    ],
    [
      "no credentials",
      { PARTNER_ACCESS_TOKEN: "", PARTNER_ACCOUNT_ID: "", PARTNER_SECRET_KEY: "" },
      /There is no secret key/,
    ],
  ];
  test.for(wrong)("ends with 3 with %s", async ([, environment, says], { partnerIn }) => {
    const checked = await partnerIn({ environment })`profile check --json`;
    expect(checked).toMatchObject({ exit: 3, stdout: "" });
    expect(errorIn(checked)["message"]).toMatch(says);
    expect(leaksIn(checked)).toEqual([]);
  });

  test.for([
    ["the secret key", { PARTNER_SECRET_KEY: secretKey }, 3, "group B: accepted"],
    ["the access token", { PARTNER_ACCESS_TOKEN: accessToken }, 3, "group A: accepted, 8 wallets"],
    ["the base URL", { PARTNER_BASE_URL: "http://127.0.0.1:1" }, 5, "group B: accepted"],
  ] as const)("tries the other group although it is wrong: %s", async ([, environment, exit, other], { partnerIn }) => {
    const checked = await partnerIn({ environment })`profile check --retries 0`;
    expect(checked).toMatchObject({ exit, stdout: "" });
    expect(checked.stderr.split("\n")[1]).toBe(`  ${other}`);
  });

  test("reports both failures and ends with 3, since waiting does not fix credentials", async ({ partnerIn }) => {
    const environment = { PARTNER_BASE_URL: "http://127.0.0.1:1", PARTNER_ACCESS_TOKEN: accessToken };
    const checked = await partnerIn({ environment })`profile check --retries 0 --json`;
    expect(checked).toMatchObject({ exit: 3, stdout: "" });
    const { details, message, http } = errorIn(checked);
    const [down, token] = [
      "Could not connect to 127.0.0.1:1 (ECONNREFUSED).",
      /^The service did not accept the access/,
    ];
    expect(details).toEqual({ "group A": down, "group B": expect.stringMatching(token) });
    expect({ message, http }).toEqual({ message: `${down} ${Reflect.get(Object(details), "group B")}`, http: 401 });
  });

  test("runs a credential command once", async ({ shell, simulator }) => {
    const runs = join(temporaryFolder(), "runs");
    const script = join(temporaryFolder(), "secrets.sh");
    const given = { version: 1, secretKey: simulator.secretKey, accessToken: simulator.accessToken };
    writeFileSync(script, `#!/bin/sh\necho run >> ${runs}\necho '${JSON.stringify(given)}'\n`, { mode: 0o700 });
    const at = `--environment simulator --base-url ${simulator.baseUrl} --account-base-url ${simulator.accountBaseUrl}`;
    const store = `--secret-store command --credential-command ${script}`;
    await shell.type(`profile add sim ${at} --account-id ${simulator.accountId} ${store}`);
    expect(await shell.type("profile check")).toMatchObject({ exit: 0, stderr: "" });
    expect(readFileSync(runs, "utf8")).toBe("run\n");
  });

  test("ends with 5, not 3, when the service cannot be reached", async ({ partnerIn }) => {
    expect(await partnerIn({ environment: { PARTNER_BASE_URL: "http://127.0.0.1:1" } })`profile check`).toMatchObject({
      exit: 5,
      stdout: "",
    });
  });
});

function cut(path: string): void {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.slice(0, text.length / 2));
}

function replaceByFolder(path: string): void {
  writeFileSync(`${path}.old`, readFileSync(path), { mode: 0o600 });
  rmSync(path);
  mkdirSync(path);
}

/** The contents of every file in a folder. */
function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { withFileTypes: true });
  return Object.fromEntries(
    files.map((file) => [file.name, file.isFile() ? readFileSync(join(folder, file.name), "utf8") : "folder"]),
  );
}
