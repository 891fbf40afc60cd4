import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../src/host/host.ts";
import { resolveAccount, resolveWebhookKeys } from "../../src/profiles/resolve.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { failureOf, profileWorld, shop, webhookKey } from "./fixture.ts";

const pair = { PARTNER_ACCOUNT_ID: "env-id", PARTNER_SECRET_KEY: "env-key" };
const url = { PARTNER_BASE_URL: "https://env.example" };

function shopHost(environment: World["environment"] = {}, world: World = {}): Host {
  return profileWorld({ ...shop, ...world, environment }).host;
}

function fileOf(content: string): string {
  const path = join(temporaryFolder(), "value");
  writeFileSync(path, content);
  return path;
}

test("the current profile gives every value, each with its source", async () => {
  const account = await resolveAccount(shopHost());
  expect(account).toMatchObject({
    name: "shop",
    environment: "sandbox",
    baseUrl: "https://sandbox.example/tembo/v1/",
    accountBaseUrl: "https://accounts.example",
    accountId: "vendor-1",
    callbackUrl: "https://hooks.example/in",
    sources: {
      environment: "profile shop",
      baseUrl: "profile shop",
      accountBaseUrl: "profile shop",
      accountId: "profile shop",
      callbackUrl: "profile shop",
    },
  });
  const { accountId, secretKey, sources } = await account.groupA();
  expect([accountId, secretKey.reveal(), sources]).toEqual([
    "vendor-1",
    "shop-secret-key",
    { accountId: "profile shop", secretKey: "profile shop (credentials.json)" },
  ]);
  const { accessToken, source } = await account.groupB();
  expect([accessToken.reveal(), source]).toEqual(["shop-access-token", "profile shop (credentials.json)"]);
  expect((await account.webhookKeys()).keys.map((key) => key.reveal())).toEqual([webhookKey]);
});

test("an address and secrets in the environment need no profile, and none is read", async () => {
  const { host } = profileWorld({ config: "damaged", environment: { ...url, ...pair } });
  const account = await resolveAccount(host);
  expect(account).toMatchObject({
    name: undefined,
    environment: "live",
    baseUrl: "https://env.example",
    accountBaseUrl: "https://env.example",
    accountId: "env-id",
    callbackUrl: undefined,
    sources: {
      environment: "default",
      baseUrl: "PARTNER_BASE_URL",
      accountBaseUrl: "same as baseUrl",
      accountId: "PARTNER_ACCOUNT_ID",
      callbackUrl: undefined,
    },
  });
  expect((await account.groupA()).sources).toEqual({
    accountId: "PARTNER_ACCOUNT_ID",
    secretKey: "PARTNER_SECRET_KEY",
  });
  expect(await failureOf(account.groupB())).toMatchObject({
    ending: "setup",
    message: "There is no access token: the address comes from PARTNER_BASE_URL and no profile is used.",
    hint: "Set PARTNER_ACCESS_TOKEN.",
  });
});

test("an address and secrets in the environment need no home folder", async () => {
  const { host } = profileWorld();
  const homeless = { ...host, environment: { ...url, ...pair, HOME: "" } };
  expect((await (await resolveAccount(homeless)).groupA()).accountId).toBe("env-id");
});

test("every value can be in a file, and one line break at its end does not count", async () => {
  const { host } = profileWorld({
    environment: {
      PARTNER_BASE_URL_FILE: fileOf("https://env.example\n"),
      PARTNER_ACCOUNT_BASE_URL_FILE: fileOf("https://accounts.env.example"),
      PARTNER_ENVIRONMENT_FILE: fileOf("simulator\r\n"),
      PARTNER_ACCOUNT_ID_FILE: fileOf("env-id\n"),
      PARTNER_SECRET_KEY_FILE: fileOf("env-key\n"),
      PARTNER_ACCESS_TOKEN_FILE: fileOf("env-token\n"),
      PARTNER_WEBHOOK_KEY_FILE: fileOf(`${webhookKey} ${webhookKey}\n`),
    },
  });
  const account = await resolveAccount(host);
  expect(account).toMatchObject({
    environment: "simulator",
    accountBaseUrl: "https://accounts.env.example",
    sources: { environment: "PARTNER_ENVIRONMENT_FILE", accountId: "PARTNER_ACCOUNT_ID_FILE" },
  });
  expect((await account.groupA()).secretKey.reveal()).toBe("env-key");
  expect((await account.groupB()).accessToken.reveal()).toBe("env-token");
  const { keys, source } = await account.webhookKeys();
  expect([keys.length, source]).toEqual([2, "PARTNER_WEBHOOK_KEY_FILE"]);
});

test("the flag comes before PARTNER_PROFILE, which comes before the current profile", async () => {
  const profiles = {
    shop: shop.config.profiles.shop,
    test: shop.config.profiles.shop,
    constructor: shop.config.profiles.shop,
  };
  const { host, again } = profileWorld({ config: { ...shop.config, profiles } });
  expect((await resolveAccount(host)).name).toBe("shop");
  const named = again({ environment: { PARTNER_PROFILE: "test" } });
  expect((await resolveAccount(named)).name).toBe("test");
  expect((await resolveAccount(named, { profile: "constructor" })).name).toBe("constructor");
});

test("values of the environment replace the profile's, one by one", async () => {
  const environment = { ...pair, PARTNER_ENVIRONMENT: "simulator", PARTNER_BASE_URL: "" };
  const account = await resolveAccount(shopHost(environment));
  expect(account).toMatchObject({
    name: "shop",
    environment: "simulator",
    baseUrl: "https://sandbox.example/tembo/v1/",
    accountId: "env-id",
  });
  expect((await account.groupA()).secretKey.reveal()).toBe("env-key");
  expect((await account.groupB()).accessToken.reveal()).toBe("shop-access-token");
});

test("an address of the environment replaces both addresses of the profile", async () => {
  const account = await resolveAccount(shopHost({ ...url, ...pair, PARTNER_PROFILE: "shop" }));
  expect(account).toMatchObject({
    name: "shop",
    owner: undefined,
    environment: "live",
    baseUrl: "https://env.example",
    accountBaseUrl: "https://env.example",
    callbackUrl: "https://hooks.example/in",
    sources: { environment: "default", accountBaseUrl: "same as baseUrl", callbackUrl: "profile shop" },
  });
});

test("a profile's secrets are not sent to an address of the environment", async () => {
  const account = await resolveAccount(shopHost(url));
  expect(await failureOf(account.groupA())).toMatchObject({
    ending: "setup",
    message:
      "The secret key of profile shop was entered for https://sandbox.example/tembo/v1 and is not used for https://env.example.",
    hint: "Set PARTNER_ACCOUNT_ID and PARTNER_SECRET_KEY too, or unset the variable that gives the address: PARTNER_BASE_URL.",
  });
  expect(await failureOf(account.groupB())).toMatchObject({
    message:
      "The access token of profile shop was entered for https://accounts.example and is not used for https://env.example.",
    hint: "Set PARTNER_ACCESS_TOKEN too, or unset the variable that gives the address: PARTNER_ACCOUNT_BASE_URL or PARTNER_BASE_URL.",
  });
  const moved = await resolveAccount(shopHost({ PARTNER_ACCOUNT_BASE_URL: "https://env.example" }));
  expect((await moved.groupA()).secretKey.reveal()).toBe("shop-secret-key");
  expect((await failureOf(moved.groupB())).ending).toBe("setup");
});

test("a webhook key is never sent, so an address of the environment does not affect it", async () => {
  const { keys } = await (await resolveAccount(shopHost(url), { profile: "shop" })).webhookKeys();
  expect(keys.map((key) => key.reveal())).toEqual([webhookKey]);
});

test("the same address in another spelling keeps the profile's secrets", async () => {
  const account = await resolveAccount(shopHost({ PARTNER_BASE_URL: "https://SANDBOX.example:443/tembo/v1" }));
  expect((await account.groupA()).secretKey.reveal()).toBe("shop-secret-key");
});

test("after a change of the profile's address its secrets must be entered again", async () => {
  const moved = { ...shop.config.profiles.shop, baseUrl: "https://moved.example" };
  const { host } = profileWorld({ ...shop, config: { ...shop.config, profiles: { shop: moved } } });
  const account = await resolveAccount(host);
  expect(await failureOf(account.groupA())).toMatchObject({
    ending: "setup",
    message:
      "The secret key of profile shop was entered for https://sandbox.example/tembo/v1 and is not used for https://moved.example.",
    hint: 'Enter it again: partner profile set shop (it asks; in a script: --secrets-from FILE, with {"secretKey":"…"} in it)',
  });
  expect((await account.groupB()).accessToken.reveal()).toBe("shop-access-token");
});

test("a missing value is reported when it is needed, with the command to enter it", async () => {
  const { host, credentialsPath } = profileWorld({
    config: shop.config,
    credentials: { version: 1, profiles: { shop: { secretKey: shop.credentials.profiles.shop.secretKey } } },
  });
  const account = await resolveAccount(host);
  expect((await account.groupA()).accountId).toBe("vendor-1");
  expect(await failureOf(account.groupB())).toMatchObject({
    ending: "setup",
    message: `Profile shop has no access token in ${credentialsPath}.`,
    hint: 'Enter it: partner profile set shop (it asks; in a script: --secrets-from FILE, with {"accessToken":"…"} in it), or set PARTNER_ACCESS_TOKEN.',
  });
});

test("a profile without secrets after a crash says so", async () => {
  const { host, credentialsPath } = profileWorld({ config: shop.config });
  expect(await failureOf((await resolveAccount(host)).groupA())).toMatchObject({
    ending: "setup",
    message: `Profile shop has no secrets in ${credentialsPath}: it was added without them, or adding it was interrupted.`,
    hint: 'Enter them: partner profile set shop (it asks; in a script: --secrets-from FILE, with {"secretKey":"…"} in it), or set PARTNER_ACCOUNT_ID and PARTNER_SECRET_KEY.',
  });
});

test("the secret store is read once, and not at all for values of the environment", async () => {
  let runs = 0;
  const run: Host["run"] = async () => {
    runs++;
    return { exit: 0, stdout: Buffer.from('{"version":1,"secretKey":"s","accessToken":"t"}') };
  };
  const profile = { ...shop.config.profiles.shop, secretStore: "command", credentialCommand: "say-secrets" };
  const config = { ...shop.config, profiles: { shop: profile } };
  const { host, again } = profileWorld({ config, host: { run } });
  const given = await resolveAccount(again({ environment: pair, host: { run } }));
  expect((await given.groupA()).secretKey.reveal()).toBe("env-key");
  expect(runs).toBe(0);
  const account = await resolveAccount(host);
  expect(runs).toBe(0);
  expect((await account.groupA()).sources.secretKey).toBe("profile shop (credentialCommand)");
  expect((await account.groupB()).accessToken.reveal()).toBe("t");
  expect(await failureOf(account.webhookKeys())).toMatchObject({
    message: "Profile shop has no webhook key in the credentialCommand of profile shop.",
    hint: "Let that program print webhookKey, or set PARTNER_WEBHOOK_KEY.",
  });
  expect(runs).toBe(1);
});

test.each<[string, World["environment"], string, string]>([
  [
    "an id without a key",
    { PARTNER_ACCOUNT_ID: "env-id" },
    "PARTNER_ACCOUNT_ID is set and PARTNER_SECRET_KEY is not: they only go together.",
    "Set PARTNER_SECRET_KEY (or PARTNER_SECRET_KEY_FILE) too, or unset PARTNER_ACCOUNT_ID.",
  ],
  [
    "a key without an id",
    { PARTNER_SECRET_KEY_FILE: "/run/secrets/key", PARTNER_ACCOUNT_ID: "" },
    "PARTNER_SECRET_KEY_FILE is set and PARTNER_ACCOUNT_ID is not: they only go together.",
    "Set PARTNER_ACCOUNT_ID (or PARTNER_ACCOUNT_ID_FILE) too, or unset PARTNER_SECRET_KEY_FILE.",
  ],
  [
    "a value in two forms",
    { PARTNER_ACCESS_TOKEN: "hunter2", PARTNER_ACCESS_TOKEN_FILE: "/run/secrets/token" },
    "Both PARTNER_ACCESS_TOKEN and PARTNER_ACCESS_TOKEN_FILE are set.",
    "Unset one of them: unset PARTNER_ACCESS_TOKEN_FILE",
  ],
  [
    "a file that is not there",
    { PARTNER_BASE_URL_FILE: "/nowhere/url", ...pair },
    "The file /nowhere/url of PARTNER_BASE_URL_FILE cannot be read: there is no such file or folder.",
    "Put the value into that file, or unset PARTNER_BASE_URL_FILE.",
  ],
  [
    "an address that holds a password",
    { PARTNER_BASE_URL: "https://me:hunter2@env.example", ...pair },
    "PARTNER_BASE_URL holds a user name or password: leave them out.",
    "Correct or unset PARTNER_BASE_URL.",
  ],
  [
    "an environment that is none",
    { PARTNER_ENVIRONMENT: "hunter2" },
    "PARTNER_ENVIRONMENT must be one of live, sandbox, simulator.",
    "Correct or unset PARTNER_ENVIRONMENT.",
  ],
  [
    "a profile name that is none",
    { PARTNER_PROFILE: "my.shop" },
    'PARTNER_PROFILE "my.shop" must be 1 to 32 lower-case letters, digits and dashes, and not start with a dash.',
    "See what there is: partner profile list",
  ],
  [
    "a profile that is not there",
    { PARTNER_PROFILE: "shp" },
    "There is no profile shp.",
    "Did you mean shop? There are: shop.",
  ],
])("%s is a set-up error", async (_title, environment, message, hint) => {
  const failure = await failureOf(resolveAccount(shopHost(environment)));
  expect(failure).toMatchObject({ ending: "setup", message, hint });
  expect(message + hint).not.toContain("hunter2");
});

test.each([
  ["", "is empty"],
  ["\n", "is empty"],
  ["\u{FFFF}".repeat(40_000), "cannot be read: it is too large"],
])("a secret's file with %# is reported when the secret is needed, not before", async (content, problem) => {
  const path = fileOf(content);
  const account = await resolveAccount(shopHost({ PARTNER_ACCESS_TOKEN_FILE: path }));
  expect((await account.groupA()).secretKey.reveal()).toBe("shop-secret-key");
  expect((await failureOf(account.groupB())).message).toBe(`The file that PARTNER_ACCESS_TOKEN_FILE names ${problem}.`);
});

test("a secret that doesn't fit into a header is reported without its text", async () => {
  const account = await resolveAccount(shopHost({ PARTNER_ACCESS_TOKEN: "hunter2\r\nx-evil: 1" }));
  expect((await failureOf(account.groupB())).message).toBe(
    "PARTNER_ACCESS_TOKEN holds a line break or a character beyond ASCII.",
  );
  const credentials = {
    version: 1,
    profiles: { shop: { secretKey: { value: "hunter2\n", boundTo: "https://sandbox.example/tembo/v1" } } },
  };
  const { host, credentialsPath } = profileWorld({ config: shop.config, credentials });
  expect((await failureOf((await resolveAccount(host)).groupA())).message).toBe(
    `The secret key of profile shop in ${credentialsPath} holds a line break or a character beyond ASCII.`,
  );
});

test("an invalid address in a profile edited by hand is reported and not shown", async () => {
  const profile = { ...shop.config.profiles.shop, baseUrl: "https://me:hunter2@sandbox.example" };
  const { host } = profileWorld({ config: { ...shop.config, profiles: { shop: profile } } });
  expect(await failureOf(resolveAccount(host))).toMatchObject({
    ending: "setup",
    message: "The baseUrl of profile shop holds a user name or password: leave them out.",
    hint: "Correct it: partner profile set shop baseUrl=VALUE",
  });
});

test("an invalid --profile is a usage error, and an unknown one is a set-up error", async () => {
  for (const profile of ["", "my.shop", "-p", "Shop", "x".repeat(33)]) {
    expect((await failureOf(resolveAccount(shopHost(), { profile }))).ending).toBe("usage");
  }
  expect((await failureOf(resolveAccount(shopHost(), { profile: "other" }))).ending).toBe("setup");
});

test("without any profile the message says how to add one, how to do without, and how to try it out", async () => {
  const { host, folder } = profileWorld();
  expect(await failureOf(resolveAccount(host))).toMatchObject({
    ending: "setup",
    message: `There is no profile yet in ${folder}.`,
    hint: "Make one: partner profile add NAME. Or set PARTNER_BASE_URL, PARTNER_ACCOUNT_ID and PARTNER_SECRET_KEY. To try things out without an account: partner simulator run -- partner wallets list",
  });
});

test("without a current profile the message lists the profiles", async () => {
  const { current: _current, ...config } = shop.config;
  expect(await failureOf(resolveAccount(profileWorld({ config }).host))).toMatchObject({
    ending: "setup",
    message: "No profile is chosen.",
    hint: "Choose one: partner profile use shop (there are: shop), or name it: --profile shop",
  });
});

test("secrets without an address and without a profile are reported", async () => {
  expect(await failureOf(resolveAccount(profileWorld({ environment: pair }).host))).toMatchObject({
    ending: "setup",
    message: "PARTNER_SECRET_KEY is set, but not the address that it belongs to.",
    hint: "Set PARTNER_BASE_URL too, or make a profile: partner profile add NAME",
  });
});

test("an address alone is enough until a secret is needed", async () => {
  const account = await resolveAccount(profileWorld({ environment: url }).host);
  expect(await failureOf(account.groupA())).toMatchObject({
    ending: "setup",
    hint: "Set PARTNER_ACCOUNT_ID and PARTNER_SECRET_KEY.",
  });
});

test("a key of the environment alone is enough to verify webhooks", async () => {
  const { host } = profileWorld({ environment: { PARTNER_WEBHOOK_KEY: `${webhookKey} ${webhookKey}` } });
  expect(await resolveWebhookKeys(host)).toMatchObject({ keys: [{}, {}], source: "PARTNER_WEBHOOK_KEY" });
  expect((await resolveWebhookKeys(shopHost())).source).toBe("profile shop (credentials.json)");
  const bad = profileWorld({ environment: { PARTNER_WEBHOOK_KEY: "hunter2" } }).host;
  expect((await failureOf(resolveWebhookKeys(bad))).message).toBe("PARTNER_WEBHOOK_KEY is not base64.");
});

test("an account can be printed without showing a secret", async () => {
  const account = await resolveAccount(shopHost({ ...pair, ...url }));
  const shown = JSON.stringify([account, await account.groupA()]);
  expect(shown).toContain("[secret]");
  expect(shown).not.toContain("env-key");
});
