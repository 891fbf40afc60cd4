import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fileStore } from "../../src/profiles/secrets/file-store.ts";
import { Secret } from "../../src/values/secret.ts";
import { failureOf, profileWorld, readJson, shop } from "./fixture.ts";

const boundTo = "https://api.example";
const one = { secretKey: { value: new Secret("one"), boundTo } };

test("secrets are stored by profile, in a file that only its owner can read", async () => {
  const { host, credentialsPath } = profileWorld({ credentials: shop.credentials });
  await fileStore(host, "other").write({ ...one, webhookKey: { value: new Secret("two"), boundTo } });
  expect(statSync(credentialsPath).mode & 0o777).toBe(0o600);
  const kept = await fileStore(host, "other").read();
  expect([kept.secretKey?.value.reveal(), kept.accessToken, kept.webhookKey?.value.reveal()]).toEqual([
    "one",
    undefined,
    "two",
  ]);
  expect(kept.secretKey?.boundTo).toBe(boundTo);
  expect((await fileStore(host, "shop").read()).secretKey?.value.reveal()).toBe("shop-secret-key");
});

test("an empty set removes the secrets of that profile only", async () => {
  const { host, credentialsPath } = profileWorld({ credentials: shop.credentials });
  await fileStore(host, "other").write(one);
  await fileStore(host, "shop").write({});
  expect(readJson(credentialsPath)).toEqual({
    version: 1,
    profiles: { other: { secretKey: { value: "one", boundTo } } },
  });
});

test("a profile may have the name of a property of every object", async () => {
  const { host } = profileWorld({ credentials: shop.credentials });
  expect(await fileStore(host, "constructor").read()).toEqual({});
  await fileStore(host, "constructor").write(one);
  expect((await fileStore(host, "constructor").read()).secretKey?.value.reveal()).toBe("one");
});

test.each([0o640, 0o604, 0o660, 0o622])("a file of mode %o is neither read nor written", async (mode) => {
  const { host, credentialsPath } = profileWorld({ credentials: shop.credentials });
  chmodSync(credentialsPath, mode);
  const store = fileStore(host, "shop");
  for (const failure of [await failureOf(store.read()), await failureOf(store.write(one))]) {
    expect(failure).toMatchObject({
      ending: "setup",
      message: `${credentialsPath} can be read or changed by other users, so it is not used.`,
      hint: `If no other user has done so: chmod 600 ${credentialsPath}`,
    });
  }
  expect(readJson(credentialsPath)).toEqual(shop.credentials);
});

test.each([0o770, 0o702, 0o777])(
  "a folder of mode %o, in which others can replace the file, is not used",
  async (mode) => {
    const { host, folder } = profileWorld({ credentials: shop.credentials });
    chmodSync(folder, mode);
    expect(await failureOf(fileStore(host, "shop").read())).toMatchObject({
      ending: "setup",
      message: `${folder} can be changed by other users, so it is not used.`,
      hint: `If no other user has done so: chmod 700 ${folder}`,
    });
  },
);

test("a folder that others can only read is used, and so is a link to a folder", async () => {
  const { host, folder } = profileWorld({ credentials: shop.credentials });
  chmodSync(folder, 0o755);
  renameSync(folder, `${folder}-elsewhere`);
  symlinkSync(`${folder}-elsewhere`, folder);
  expect((await fileStore(host, "shop").read()).secretKey?.value.reveal()).toBe("shop-secret-key");
});

test("a file of another user is not used", async () => {
  const { host, folder } = profileWorld({ credentials: shop.credentials, machine: { userId: 4711 } });
  expect(await failureOf(fileStore(host, "shop").read())).toMatchObject({
    ending: "setup",
    message: `${folder} belongs to another user, so it is not used.`,
    hint: `If it is yours: chown 4711 ${folder}`,
  });
});

test("on Windows modes and owners are not checked", async () => {
  const { host, credentialsPath } = profileWorld({ credentials: shop.credentials });
  chmodSync(credentialsPath, 0o666);
  const windows = { ...host, machine: { ...host.machine, userId: undefined } };
  expect((await fileStore(windows, "shop").read()).secretKey?.value.reveal()).toBe("shop-secret-key");
});

test("a link in the file's place is not followed, not even to a valid file", async () => {
  const real = profileWorld({ credentials: shop.credentials });
  const { host, folder, credentialsPath } = profileWorld();
  mkdirSync(folder, { mode: 0o700 });
  symlinkSync(real.credentialsPath, credentialsPath);
  for (const failure of [
    await failureOf(fileStore(host, "shop").read()),
    await failureOf(fileStore(host, "shop").write(one)),
  ]) {
    expect(failure.message).toBe(`${credentialsPath} is a link, and only the file itself is trusted.`);
  }
  expect(readJson(real.credentialsPath)).toEqual(shop.credentials);
});

test("a damaged file is neither quoted nor overwritten", async () => {
  const { host, credentialsPath } = profileWorld({
    credentials: '{"version":1,"profiles":{"shop":{"secretKey":"hunter2"',
  });
  const before = readFileSync(credentialsPath, "utf8");
  for (const failure of [
    await failureOf(fileStore(host, "shop").read()),
    await failureOf(fileStore(host, "shop").write(one)),
  ]) {
    expect(failure).toMatchObject({ ending: "setup", message: `${credentialsPath} is damaged: it is not JSON.` });
  }
  expect(readFileSync(credentialsPath, "utf8")).toBe(before);
});

test("a full disk leaves the old file", async () => {
  const { host, credentialsPath } = profileWorld({ credentials: shop.credentials });
  const noSpace = Object.assign(new Error("write"), { code: "ENOSPC" });
  const full = { ...host.files, draft: () => Promise.reject(noSpace) };
  expect(await failureOf(fileStore({ ...host, files: full }, "shop").write(one))).toMatchObject({
    ending: "setup",
    message: `${credentialsPath} cannot be written: the disk is full.`,
  });
  expect(readJson(credentialsPath)).toEqual(shop.credentials);
});

test("a path with a blank is quoted in the suggested command", async () => {
  const { host } = profileWorld();
  const folder = `${host.environment["PARTNER_CONFIG_DIR"]} of mine`;
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(`${folder}/credentials.json`, "{}", { mode: 0o644 });
  const other = { ...host, environment: { PARTNER_CONFIG_DIR: folder } };
  expect(await failureOf(fileStore(other, "shop").read())).toMatchObject({
    message: `"${folder}/credentials.json" can be read or changed by other users, so it is not used.`,
    hint: `If no other user has done so: chmod 600 '${folder}/credentials.json'`,
  });
});
