import { expect, test } from "vitest";
import { setProfile } from "../../src/profiles/change.ts";
import { resolveAccount } from "../../src/profiles/resolve.ts";
import { Secret } from "../../src/values/secret.ts";
import { failureOf, profileWorld, readJson, shop } from "./fixture.ts";

test("values are set, an empty value removes an optional one, and the rest stays", async () => {
  const config = { ...shop.config, profiles: { shop: { ...shop.config.profiles.shop, later: true } } };
  const { host, configPath } = profileWorld({ ...shop, config });
  const changes = ["environment=live", "accountId=v=2", "callbackUrl="];
  expect(await setProfile(host, { name: "shop", changes })).toEqual({ name: "shop", isCurrent: true, notes: [] });
  const { callbackUrl: _gone, ...rest } = shop.config.profiles.shop;
  expect(readJson(configPath)).toEqual({
    ...config,
    profiles: { shop: { ...rest, environment: "live", accountId: "v=2", later: true } },
  });
});

test("after a new address the secrets stay bound to the old one, and the note says which to enter again", async () => {
  const { host } = profileWorld(shop);
  const changes = ["baseUrl=https://moved.example"];
  expect((await setProfile(host, { name: "shop", changes })).notes).toEqual([
    'Entered for the old address, so not used for the new one: secret key, webhook key. Enter again: partner profile set shop (it asks; in a script: --secrets-from FILE, with {"secretKey":"…","webhookKey":"…"} in it)',
  ]);
  const account = await resolveAccount(host);
  expect((await failureOf(account.groupA())).ending).toBe("setup");
  expect((await failureOf(account.webhookKeys())).ending).toBe("setup");
  expect((await account.groupB()).accessToken.reveal()).toBe("shop-access-token");
});

test("without an address of its own group B moves with the other one", async () => {
  const { host } = profileWorld(shop);
  expect((await setProfile(host, { name: "shop", changes: ["accountBaseUrl="] })).notes).toEqual([
    'Entered for the old address, so not used for the new one: access token. Enter again: partner profile set shop (it asks; in a script: --secrets-from FILE, with {"accessToken":"…"} in it)',
  ]);
});

test("the same address in another spelling is not a new address", async () => {
  const { host } = profileWorld(shop);
  const changes = ["baseUrl=https://SANDBOX.example/tembo/v1"];
  expect((await setProfile(host, { name: "shop", changes })).notes).toEqual([]);
});

test("secrets given together with a new address are bound to it", async () => {
  const { host } = profileWorld(shop);
  const change = {
    name: "shop",
    changes: ["baseUrl=https://moved.example"],
    secrets: { secretKey: new Secret("new-key") },
  };
  expect((await setProfile(host, change)).notes.join()).toContain("not used for the new one: webhook key. Enter again");
  expect((await (await resolveAccount(host)).groupA()).secretKey.reveal()).toBe("new-key");
});

test("one secret is replaced and the others stay", async () => {
  const { host, configPath } = profileWorld(shop);
  await setProfile(host, { name: "shop", changes: [], secrets: { accessToken: new Secret("new-token") } });
  const account = await resolveAccount(host);
  expect((await account.groupB()).accessToken.reveal()).toBe("new-token");
  expect((await account.groupA()).secretKey.reveal()).toBe("shop-secret-key");
  expect(readJson(configPath)).toEqual(shop.config);
});

test.each<[string[], string]>([
  [["baseurl=x"], "baseurl isn't a key of a profile; baseUrl is."],
  [
    ["colour=red"],
    "A change must look like key=value, with one of the keys environment, baseUrl, accountBaseUrl, accountId, callbackUrl, journal, extensions, credentialCommand, money.secretStore, money.credentialCommand, limit.transfer, limit.day, allow.to, like.window, check.statement, batch.keep, book.path, book.reference, book.amount, book.date, book.direction, book.dateFormat, book.decimal, account.NICKNAME.",
  ],
  [
    ["secretKey=hunter2"],
    "secretKey is a secret, and other users can read command lines: partner profile set shop asks for it.",
  ],
  [
    ["webhookkey=hunter2"],
    "webhookkey is a secret, and other users can read command lines: partner profile set shop asks for it.",
  ],
  [
    ["secretStore=keyring"],
    "secretStore cannot be changed: add the profile again (partner profile add shop --replace).",
  ],
  [
    ["hunter2"],
    "A change must look like key=value, with one of the keys environment, baseUrl, accountBaseUrl, accountId, callbackUrl, journal, extensions, credentialCommand, money.secretStore, money.credentialCommand, limit.transfer, limit.day, allow.to, like.window, check.statement, batch.keep, book.path, book.reference, book.amount, book.date, book.direction, book.dateFormat, book.decimal, account.NICKNAME.",
  ],
  [
    ["aHVudGVyMg=="],
    "A change must look like key=value, with one of the keys environment, baseUrl, accountBaseUrl, accountId, callbackUrl, journal, extensions, credentialCommand, money.secretStore, money.credentialCommand, limit.transfer, limit.day, allow.to, like.window, check.statement, batch.keep, book.path, book.reference, book.amount, book.date, book.direction, book.dateFormat, book.decimal, account.NICKNAME.",
  ],
  ...["1", "-1h", "3 days", "367d", "1e3s"].map((window): [string[], string] => [
    [`like.window=${window}`],
    "like.window must be a duration such as 24h or 3d, or 0 for none.",
  ]),
  [["accountId=a", "accountId=b"], "accountId is given twice."],
  [["accountId="], "accountId is missing."],
  [["environment=prod", "baseUrl=http://me:hunter2@x"], "Several values cannot be used: environment, baseUrl."],
  [[], "There is nothing to change."],
])("%j is refused without repeating a possible secret", async (changes, message) => {
  const { host, configPath } = profileWorld(shop);
  const failure = await failureOf(setProfile(host, { name: "shop", changes }));
  expect({ ending: failure.ending, message: failure.message }).toEqual({ ending: "usage", message });
  expect(message).not.toMatch(/hunter2|aHVu/);
  expect(readJson(configPath)).toEqual(shop.config);
});

test("a profile with a credential command stores no secrets, and cannot lose its command", async () => {
  const profile = { ...shop.config.profiles.shop, secretStore: "command", credentialCommand: "say-secrets" };
  const { host, configPath } = profileWorld({ config: { ...shop.config, profiles: { shop: profile } } });
  const set = (changes: string[], secrets = {}) => setProfile(host, { name: "shop", changes, secrets });
  expect((await failureOf(set([], { secretKey: new Secret("hunter2") }))).message).toBe(
    "secretKey cannot be kept: the credentialCommand gives it.",
  );
  expect((await failureOf(set(["credentialCommand="]))).message).toBe(
    "credentialCommand is missing: the store command asks it for the secrets.",
  );
  expect((await set(["credentialCommand=say-secrets --all", "baseUrl=https://moved.example"])).notes).toEqual([]);
  expect(readJson(configPath)).toMatchObject({ profiles: { shop: { credentialCommand: "say-secrets --all" } } });
});

test("an unknown profile cannot be changed", async () => {
  expect((await failureOf(setProfile(profileWorld(shop).host, { name: "shp", changes: ["accountId=a"] }))).ending).toBe(
    "setup",
  );
  expect((await failureOf(setProfile(profileWorld(shop).host, { name: "s.p", changes: ["accountId=a"] }))).ending).toBe(
    "usage",
  );
});
