import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { Host } from "../../src/host/host.ts";
import { addProfile, removeProfile, useProfile } from "../../src/profiles/edit.ts";
import { resolveAccount } from "../../src/profiles/resolve.ts";
import { Secret } from "../../src/values/secret.ts";
import { failureOf, profileWorld, readJson, shop, webhookKey } from "./fixture.ts";

const values = { environment: "sandbox", baseUrl: "https://api.example/v1/", accountId: "vendor" };
const secrets = { secretKey: new Secret("key"), accessToken: new Secret("token"), webhookKey: new Secret(webhookKey) };
const api = "https://api.example/v1";
const neverAnswers: Host["run"] = () => Promise.reject(new Error("too slow"));
const noDisk = Object.assign(new Error("write"), { code: "ENOSPC" });

test("a profile is added with its secrets, each bound to its address", async () => {
  const { host, configPath, credentialsPath } = profileWorld();
  const accountBaseUrl = "https://accounts.example/";
  expect(await addProfile(host, { name: "shop", values: { ...values, accountBaseUrl }, secrets })).toEqual({
    name: "shop",
    isCurrent: true,
    notes: [],
  });
  expect(readJson(configPath)).toEqual({
    version: 1,
    current: "shop",
    profiles: { shop: { ...values, accountBaseUrl, secretStore: "file" } },
  });
  expect(readJson(credentialsPath)).toEqual({
    version: 1,
    profiles: {
      shop: {
        secretKey: { value: "key", boundTo: api },
        accessToken: { value: "token", boundTo: "https://accounts.example" },
        webhookKey: { value: webhookKey, boundTo: api },
      },
    },
  });
  const account = await resolveAccount(host);
  expect((await account.groupA()).secretKey.reveal()).toBe("key");
  expect((await account.groupB()).accessToken.reveal()).toBe("token");
});

test("the first profile becomes the current one, and the next ones do not", async () => {
  const { host } = profileWorld();
  await addProfile(host, { name: "shop", values });
  expect(await addProfile(host, { name: "test", values })).toEqual({
    name: "test",
    isCurrent: false,
    notes: [
      expect.stringMatching(
        /^It has no secrets yet\. Enter them: partner profile set test \(it asks; in a script: --secrets-from FILE,/,
      ),
    ],
  });
  expect((await resolveAccount(host)).name).toBe("shop");
  expect(await useProfile(host, "test")).toEqual({ name: "test", isCurrent: true, notes: [] });
  expect((await resolveAccount(host)).name).toBe("test");
});

test("all faults of a new profile are reported at once, by flag and without values", async () => {
  const { host, folder } = profileWorld();
  const wrong = {
    environment: "prod",
    baseUrl: "https://me:hunter2@api.example",
    callbackUrl: "",
    credentialCommand: "'x",
  };
  const failure = await failureOf(
    addProfile(host, { name: "shop", values: wrong, secrets: { webhookKey: new Secret("hunter2") } }),
  );
  expect(failure).toMatchObject({
    ending: "usage",
    message:
      "Several values cannot be used: --environment, --base-url, --account-id, --callback-url, --credential-command, webhookKey.",
    hint: "See what belongs there: partner profile add --help",
    details: {
      "--environment": "must be one of live, sandbox, simulator",
      "--base-url": "holds a user name or password: leave them out",
      "--account-id": "is missing",
      "--callback-url": "is empty",
      "--credential-command": "has a quote that is not closed",
      webhookKey: "is not base64",
    },
  });
  expect(existsSync(folder)).toBe(false);
});

test("a profile with --secret-store command needs a command, and stores no secrets", async () => {
  const { host } = profileWorld();
  const byCommand = { ...values, secretStore: "command" };
  expect((await failureOf(addProfile(host, { name: "shop", values: byCommand }))).message).toBe(
    "--credential-command is missing: the store command asks it for the secrets.",
  );
  const whole = { ...byCommand, credentialCommand: "say-secrets shop" };
  expect((await failureOf(addProfile(host, { name: "shop", values: whole, secrets }))).details).toMatchObject({
    secretKey: "cannot be kept: the credentialCommand gives it",
  });
  expect((await addProfile(host, { name: "shop", values: whole })).isCurrent).toBe(true);
});

test.each(["", "my.shop", "Shop", "-shop", "shop ", "__proto__", "a".repeat(33)])(
  "%j isn't a valid name of a profile",
  async (name) => {
    const { host, folder } = profileWorld();
    const edits = [
      () => addProfile(host, { name, values }),
      () => useProfile(host, name),
      () => removeProfile(host, name),
    ];
    for (const edit of edits) expect((await failureOf(edit())).ending).toBe("usage");
    expect(existsSync(folder)).toBe(false);
  },
);

test("a profile is replaced only on request, and its old secrets are deleted", async () => {
  const { host, credentialsPath } = profileWorld(shop);
  expect(await failureOf(addProfile(host, { name: "shop", values }))).toMatchObject({
    ending: "usage",
    message: "There is a profile shop already.",
    hint: "Change it: partner profile set shop KEY=VALUE. To put another one in its place, add --replace.",
  });
  const replaced = await addProfile(host, {
    name: "shop",
    values,
    secrets: { secretKey: secrets.secretKey },
    replace: true,
  });
  expect(replaced.isCurrent).toBe(true);
  expect(readJson(credentialsPath)).toEqual({
    version: 1,
    profiles: { shop: { secretKey: { value: "key", boundTo: api } } },
  });
});

test("a profile that moves to another secret store leaves no secrets in the old one", async () => {
  const { host, credentialsPath } = profileWorld(shop);
  const byCommand = { ...values, secretStore: "command", credentialCommand: "say-secrets" };
  expect((await addProfile(host, { name: "shop", values: byCommand, replace: true })).notes).toEqual([]);
  expect(readJson(credentialsPath)).toEqual({ version: 1, profiles: {} });
});

test("when secrets cannot be stored, no profile is written", async () => {
  const { host, configPath } = profileWorld({ credentials: "damaged" });
  expect((await failureOf(addProfile(host, { name: "shop", values, secrets }))).message).toContain("is damaged");
  const keyring = { ...values, secretStore: "keyring" };
  expect((await failureOf(addProfile({ ...host, run: neverAnswers }, { name: "shop", values: keyring }))).message).toBe(
    "The keyring did not answer within 3 seconds.",
  );
  expect(existsSync(configPath)).toBe(false);
});

test("after a crash between profile and secrets, the profile says what is missing and how to go on", async () => {
  const { host, credentialsPath } = profileWorld();
  const full = { ...host.files, draft: () => Promise.reject(noDisk) };
  expect(await failureOf(addProfile({ ...host, files: full }, { name: "shop", values, secrets }))).toMatchObject({
    ending: "setup",
    message: `${credentialsPath} cannot be written: the disk is full.`,
  });
  expect((await failureOf((await resolveAccount(host)).groupA())).message).toBe(
    `Profile shop has no secrets in ${credentialsPath}: it was added without them, or adding it was interrupted.`,
  );
  await addProfile(host, { name: "shop", values, secrets, replace: true });
  expect((await (await resolveAccount(host)).groupA()).secretKey.reveal()).toBe("key");
});

test("after a crash during a replacement, the new profile never has the old secrets", async () => {
  const { host } = profileWorld(shop);
  let writes = 0;
  const draft: Host["files"]["draft"] = (path, mode) =>
    writes++ === 0 ? host.files.draft(path, mode) : Promise.reject(noDisk);
  const sameAddress = { ...values, baseUrl: shop.config.profiles.shop.baseUrl };
  const crashing = { ...host, files: { ...host.files, draft } };
  await failureOf(addProfile(crashing, { name: "shop", values: sameAddress, secrets, replace: true }));
  const account = await resolveAccount(host);
  expect(account.accountId).toBe("vendor");
  expect((await failureOf(account.groupA())).message).toContain("has no secrets");
});

test("a profile is removed with its secrets", async () => {
  const { host, configPath, credentialsPath } = profileWorld(shop);
  expect(await removeProfile(host, "shop")).toEqual({ name: "shop", isCurrent: false, notes: [] });
  expect([readJson(configPath), readJson(credentialsPath)]).toEqual([
    { version: 1, profiles: {} },
    { version: 1, profiles: {} },
  ]);
});

test("after a crash during a removal, no secrets are left without a profile", async () => {
  const { host, credentialsPath } = profileWorld(shop);
  const full = { ...host.files, draft: () => Promise.reject(noDisk) };
  await failureOf(removeProfile({ ...host, files: full }, "shop"));
  expect((await (await resolveAccount(host)).groupA()).secretKey.reveal()).toBe("shop-secret-key");
  await removeProfile(host, "shop");
  expect(readJson(credentialsPath)).toEqual({ version: 1, profiles: {} });
});

test("removing the current profile reports that none is current", async () => {
  const { host } = profileWorld(shop);
  await addProfile(host, { name: "test", values });
  expect((await removeProfile(host, "shop")).notes).toEqual([
    "No profile is the current one now. Choose one: partner profile use test",
  ]);
  expect((await failureOf(resolveAccount(host))).message).toBe("No profile is chosen.");
});

test("a profile can be removed when its keyring is gone", async () => {
  const profile = { ...shop.config.profiles.shop, secretStore: "keyring" };
  const { host, configPath } = profileWorld({
    config: { ...shop.config, profiles: { shop: profile } },
    host: { run: neverAnswers },
  });
  expect((await removeProfile(host, "shop")).notes).toEqual([
    "The old secrets of shop may still be in the keyring. The keyring did not answer within 3 seconds.",
  ]);
  expect(readJson(configPath)).toEqual({ version: 1, profiles: {} });
});

test("an unknown profile can be neither used nor removed", async () => {
  const { host } = profileWorld(shop);
  for (const edit of [useProfile, removeProfile]) {
    expect(await failureOf(edit(host, "shopp"))).toMatchObject({
      ending: "setup",
      message: "There is no profile shopp.",
      hint: "Did you mean shop? There are: shop.",
    });
  }
  const empty = profileWorld();
  expect((await failureOf(useProfile(empty.host, "shop"))).hint).toBe(
    `There is no profile yet in ${empty.folder}. To add one: partner profile add NAME`,
  );
});
