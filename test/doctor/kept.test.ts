import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { certificate } from "../host/servers.ts";
import { temporaryFolder } from "../memory-host.ts";
import { keptFor, shop } from "../profiles/fixture.ts";
import { examined, filesBut, ownFolders, served } from "./examined.ts";

const ownerOnly = { mode: 0o600 };
const readOnly = () => Promise.reject(Object.assign(new Error("EROFS"), { code: "EROFS" }));

/** Both folders, with these files in the one of the profiles. */
function furnished(files: Readonly<Record<string, string>> = {}) {
  const folders = ownFolders();
  for (const folder of [folders.config, folders.state]) mkdirSync(folder, { mode: 0o700 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folders.config, name), text, ownerOnly);
  return folders;
}

test("a profile and its secrets are found in their files", async () => {
  const { PARTNER_BASE_URL: baseUrl = "", PARTNER_ACCOUNT_BASE_URL: accountBaseUrl = "" } = await served();
  const profile = { ...shop.config.profiles.shop, baseUrl, accountBaseUrl };
  const kept = { secretKey: keptFor(baseUrl.replace(/\/$/, ""), "shop-secret-key") };
  const { config, environment } = furnished({
    "config.json": JSON.stringify({ ...shop.config, profiles: { shop: profile } }),
    "credentials.json": JSON.stringify({ version: 1, profiles: { shop: kept } }),
  });
  const { found, stdout } = await examined({ environment });
  expect(found).toMatchObject({
    "config folder": { result: "ok", detail: config },
    "config file": { result: "ok", detail: `${config}/config.json: 1 profile, current: shop` },
    "credentials file": { result: "ok", detail: `${config}/credentials.json: yours alone` },
    profile: { result: "ok", detail: "shop, the current one" },
    environment: { detail: "sandbox (profile shop)" },
    "secret key": { result: "ok", detail: "from profile shop (credentials.json)" },
    "access token": { result: "ok", detail: "none: no merchant accounts" },
    "webhook key": { result: "ok", detail: "none: no webhooks" },
    service: { result: "ok" },
  });
  expect(stdout).not.toContain("shop-secret-key");
});

test("a secret that was entered for another address is a problem and is not sent", async () => {
  const { PARTNER_BASE_URL = "" } = await served();
  const { environment } = furnished({
    "config.json": JSON.stringify(shop.config),
    "credentials.json": JSON.stringify(shop.credentials),
  });
  const { found } = await examined({ environment: { ...environment, PARTNER_PROFILE: "shop", PARTNER_BASE_URL } });
  expect(found["profile"]?.detail).toBe("shop, by PARTNER_PROFILE");
  expect(found["secret key"]?.result).toBe("problem");
  expect(found["secret key"]?.detail).toContain("was entered for https://sandbox.example/tembo/v1");
});

test.each(["{", "", "null", '{"version":2,"profiles":{}}', '{"version":1,"profiles":{"No":{}}}'])(
  "a config.json with the content %j is a row of the report, never a crash",
  async (text) => {
    const { environment } = furnished({ "config.json": text });
    const { exit, found } = await examined({ environment });
    expect(exit).toBe(0);
    expect(found["config file"]?.result).toBe("problem");
    expect(found["profile"]?.result).toBe("problem");
  },
);

test("with a damaged config.json and a complete environment the service is still checked", async () => {
  const { environment } = furnished({ "config.json": "{" });
  const { found } = await examined({ environment: { ...environment, ...(await served()) } });
  expect(found["config file"]?.result).toBe("problem");
  expect(found["service"]?.result).toBe("ok");
});

test("an unusable profile is a problem of the file, and is reported without its value", async () => {
  const profile = { ...shop.config.profiles.shop, baseUrl: "ftp://ada:hunter2@files.example" };
  const settings = { version: 1, current: "lost", profiles: { shop: profile } };
  const { environment } = furnished({ "config.json": JSON.stringify(settings) });
  const { found, stdout } = await examined({ environment });
  expect(found["config file"]?.result).toBe("problem");
  expect(found["config file"]?.detail).toContain("the baseUrl of profile shop must start with https://");
  expect(found["config file"]?.detail).toContain("the current profile does not exist");
  expect(stdout).not.toContain("hunter2");
});

test.skipIf(process.platform === "win32")(
  "files that others can read are distinguished from those that others can change",
  async () => {
    const { config, state, environment } = furnished({ "config.json": "{}", "credentials.json": "{}" });
    writeFileSync(join(config, "config.json"), '{"version":1,"profiles":{}}');
    chmodSync(join(config, "config.json"), 0o666);
    chmodSync(join(config, "credentials.json"), 0o640);
    chmodSync(state, 0o755);
    const { found } = await examined({ environment });
    expect(found["config file"]).toMatchObject({ result: "warning" });
    expect(found["credentials file"]).toMatchObject({ result: "problem" });
    expect(found["credentials file"]?.detail).toContain(`chmod 600 ${config}/credentials.json`);
    expect(found["state folder"]).toEqual({
      result: "warning",
      detail: `${state} can be looked into by other users. Keep it to yourself: chmod 700 ${state}`,
    });
    chmodSync(config, 0o777);
    const open = await examined({ environment });
    expect(open.found["config folder"]?.result).toBe("problem");
    expect(open.found["config folder"]?.detail).toContain("can be changed by other users");
  },
);

test.skipIf(process.platform === "win32")("a folder of another user is a problem", async () => {
  const { environment } = furnished();
  const { found } = await examined({ environment, machine: { userId: 4_000_000 } });
  expect(found["state folder"]?.detail).toContain("belongs to another user");
});

test("a file in place of a folder, and a link to nothing, are problems", async () => {
  const { config, state, environment } = ownFolders();
  writeFileSync(config, "");
  symlinkSync(join(temporaryFolder(), "nothing"), state);
  const { found } = await examined({ environment });
  expect(found["config folder"]).toMatchObject({
    result: "problem",
    detail: `${config} isn't a folder: move it away.`,
  });
  expect(found["state folder"]).toMatchObject({ result: "problem", detail: `${state} isn't a folder: move it away.` });
});

test("a missing home and a relative folder are problems", async () => {
  const environment = { PARTNER_CONFIG_DIR: "profiles", PARTNER_STATE_DIR: "", HOME: "" };
  const { exit, found } = await examined({ environment });
  expect(exit).toBe(0);
  expect(found["config folder"]?.detail).toContain("PARTNER_CONFIG_DIR names a folder by a relative path");
  expect(found["state folder"]?.detail).toContain("HOME is empty");
  expect(found["profile"]?.result).toBe("problem");
});

test("a folder that cannot be written or made is a problem", async () => {
  const { config, environment } = furnished();
  const missing = { ...environment, PARTNER_STATE_DIR: join(config, "later", "state") };
  const { found } = await examined({ environment: missing, host: { files: filesBut({ draft: readOnly }) } });
  expect(found["config folder"]).toEqual({
    result: "problem",
    detail: `${config} cannot be written to: the disk is read-only.`,
  });
  expect(found["state folder"]).toEqual({
    result: "problem",
    detail: `${config}/later/state cannot be made in ${config}: the disk is read-only.`,
  });
});

test.skipIf(process.platform !== "linux")("a state folder on another machine is a warning", async () => {
  const { state, environment } = furnished();
  const real = filesBut({});
  const mounts = `1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:50 / ${state} rw - nfs4 server:/state rw\n`;
  const files = filesBut({
    read: (path, most) =>
      path === "/proc/self/mountinfo" ? Promise.resolve(Buffer.from(mounts)) : real.read(path, most),
  });
  const { found } = await examined({ environment, host: { files } });
  expect(found["state folder"]?.result).toBe("warning");
  expect(found["state folder"]?.detail).toContain("is on a network file system (nfs4)");
});

test("unusable certificates are problems; usable ones are named", async () => {
  const folder = temporaryFolder();
  const [good, damaged, none] = ["good.pem", "damaged.pem", "none.pem"].map((name) => join(folder, name));
  writeFileSync(good ?? "", certificate("localhost"));
  writeFileSync(damaged ?? "", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  writeFileSync(none ?? "", "hello");
  const environment = await served();
  const look = async (extra: string, ...flags: readonly string[]) =>
    (await examined({ environment: { ...environment, NODE_EXTRA_CA_CERTS: extra } }, ...flags)).found;
  expect((await look(good ?? "", "--ca-cert", good ?? ""))["certificates"]).toEqual({
    result: "ok",
    detail: `Node's own, the system's, ${good} (NODE_EXTRA_CA_CERTS), ${good} (--ca-cert)`,
  });
  const system = await examined({ environment: { ...environment, SSL_CERT_FILE: good ?? "" } });
  expect(system.found["certificates"]?.detail).toBe(`Node's own, the system's, ${good} (SSL_CERT_FILE)`);
  const gone = await examined({ environment: { ...environment, SSL_CERT_FILE: join(folder, "missing.pem") } });
  expect(gone.found["certificates"]?.detail).toContain("of SSL_CERT_FILE cannot be read");
  const unread = await look(join(folder, "missing.pem"));
  expect(unread["certificates"]?.result).toBe("problem");
  expect(unread["certificates"]?.detail).toContain("of NODE_EXTRA_CA_CERTS cannot be read");
  expect(unread["service"]?.result).toBe("ok");
  expect((await look(none ?? ""))["certificates"]?.detail).toContain("holds no certificate");
  const broken = await look("", "--ca-cert", damaged ?? "");
  expect(broken["certificates"]?.result).toBe("problem");
  expect(broken["certificates"]?.detail).toContain("damaged");
  expect(broken["service"]).toEqual({ result: "warning", detail: "not asked: see certificates." });
});
