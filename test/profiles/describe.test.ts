import { expect, test } from "vitest";
import type { Host } from "../../src/host/host.ts";
import { describeProfile, listProfiles } from "../../src/profiles/describe.ts";
import { failureOf, profileWorld, shop, webhookKey } from "./fixture.ts";

const lines = async (host: Host, name?: string) =>
  (await describeProfile(host, name)).map(({ name, value, source }) => `${name} | ${value ?? ""} | ${source}`);

const refuseToRun: Host["run"] = () => Promise.reject(new Error("it was run"));

test("profile show names the source of every value and masks secrets", async () => {
  expect(await lines(profileWorld(shop).host)).toEqual([
    "profile | shop | current",
    "environment | sandbox | profile shop",
    "baseUrl | https://sandbox.example/tembo/v1/ | profile shop",
    "accountBaseUrl | https://accounts.example | profile shop",
    "accountId | vendor-1 | profile shop",
    "callbackUrl | https://hooks.example/in | profile shop",
    "secretStore | file | profile shop",
    "credentialCommand |  | not set",
    "secretKey | ******** | profile shop (credentials.json)",
    "accessToken | ******** | profile shop (credentials.json)",
    `webhookKey | ********${webhookKey.slice(-4)} | profile shop (credentials.json)`,
  ]);
});

test("values replaced by the environment are shown with their current source", async () => {
  const { host } = profileWorld({
    ...shop,
    environment: {
      PARTNER_ACCOUNT_ID: "env-id",
      PARTNER_SECRET_KEY: "env-key",
      PARTNER_BASE_URL: "https://env.example",
      PARTNER_PROFILE: "shop",
    },
  });
  expect(await lines(host)).toEqual([
    "profile | shop | PARTNER_PROFILE",
    "environment | live | default",
    "baseUrl | https://env.example | PARTNER_BASE_URL",
    "accountBaseUrl | https://env.example | same as baseUrl",
    "accountId | env-id | PARTNER_ACCOUNT_ID",
    "callbackUrl | https://hooks.example/in | profile shop",
    "secretStore | file | profile shop",
    "credentialCommand |  | not set",
    "secretKey | ******** | PARTNER_SECRET_KEY",
    "accessToken | (not usable) | The access token of profile shop was entered for https://accounts.example and is not used for https://env.example.",
    `webhookKey | ********${webhookKey.slice(-4)} | profile shop (credentials.json)`,
  ]);
  const { PARTNER_PROFILE: _profile, ...bare } = host.environment;
  expect((await lines({ ...host, environment: bare }))[0]).toBe("profile |  | not set");
  expect(await lines(host, "shop")).toEqual(await lines(profileWorld(shop).host, "shop"));
});

test("profile show runs no credential command", async () => {
  const profile = { ...shop.config.profiles.shop, secretStore: "command", credentialCommand: "say-secrets shop" };
  const { host } = profileWorld({
    config: { ...shop.config, profiles: { shop: profile } },
    host: { run: refuseToRun },
  });
  expect((await lines(host)).slice(6)).toEqual([
    "secretStore | command | profile shop",
    "credentialCommand | say-secrets shop | profile shop",
    "secretKey | (asked for when it is needed) | profile shop (credentialCommand)",
    "accessToken | (asked for when it is needed) | profile shop (credentialCommand)",
    "webhookKey | (asked for when it is needed) | profile shop (credentialCommand)",
  ]);
});

test("secrets that cannot be read do not hide the other values", async () => {
  const { host, credentialsPath } = profileWorld({ config: shop.config, credentials: "damaged" });
  const rows = await describeProfile(host);
  expect(rows.at(0)?.value).toBe("shop");
  expect(rows.at(-1)).toEqual({
    name: "webhookKey",
    value: "(not usable)",
    source: `${credentialsPath} is damaged: it is not JSON.`,
  });
});

test("profiles are listed by name, without an address that could hold a password", async () => {
  const { current: _current, ...config } = shop.config;
  const profiles = { ...config.profiles, azure: { ...config.profiles.shop, baseUrl: "https://me:hunter2@x.example" } };
  const listed = await listProfiles(profileWorld({ config: { ...config, current: "shop", profiles } }).host);
  expect(listed).toEqual([
    {
      name: "azure",
      isCurrent: false,
      environment: "sandbox",
      baseUrl: "(not shown: it isn't a usable address)",
      accountId: "vendor-1",
      secretStore: "file",
    },
    {
      name: "shop",
      isCurrent: true,
      environment: "sandbox",
      baseUrl: "https://sandbox.example/tembo/v1/",
      accountId: "vendor-1",
      secretStore: "file",
    },
  ]);
  expect(await listProfiles(profileWorld().host)).toEqual([]);
});

test("Ctrl-C while a profile is shown is an interruption", async () => {
  const profile = { ...shop.config.profiles.shop, secretStore: "keyring" };
  const { host } = profileWorld({ config: { ...shop.config, profiles: { shop: profile } } });
  const run: Host["run"] = async () => {
    host.abort();
    return { exit: 143, stdout: new Uint8Array() };
  };
  expect((await failureOf(describeProfile({ ...host, run }))).ending).toBe("interrupted");
});
