import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSettings } from "../../src/profiles/settings/settings.ts";
import { editProfiles } from "../../src/profiles/settings/store.ts";
import { failureOf, profileWorld, shop } from "./fixture.ts";

test("without a file there are no profiles, and reading makes neither file nor folder", async () => {
  const { host, folder } = profileWorld();
  expect(await readSettings(host)).toEqual({ version: 1, profiles: {} });
  expect(existsSync(folder)).toBe(false);
});

test("members written by a later version are kept by an edit", async () => {
  const config = {
    ...shop.config,
    later: { a: [1] },
    profiles: { shop: { ...shop.config.profiles.shop, colour: "red" } },
  };
  const { host, configPath } = profileWorld({ config });
  await editProfiles(host, ({ settings, save }) => save({ ...settings, current: "shop" }));
  expect(JSON.parse(readFileSync(configPath, "utf8"))).toEqual(config);
});

test("a byte order mark, as editors on Windows write it, is accepted", async () => {
  const { host } = profileWorld({ config: `\uFEFF${JSON.stringify(shop.config)}` });
  await editProfiles(host, ({ settings, save }) => save(settings));
  expect((await readSettings(host)).current).toBe("shop");
});

const shopWith = (part: object) => ({ ...shop.config, profiles: { shop: { ...shop.config.profiles.shop, ...part } } });

test.each<[string, unknown, string]>([
  ["an empty file", "", "is damaged: it is empty."],
  ["a truncated file", JSON.stringify(shop.config).slice(0, -20), "is damaged: it is not JSON."],
  ["garbage", "hunter2 is my password", "is damaged: it is not JSON."],
  ["a list", [], "is damaged: it holds no JSON object."],
  ["null", null, "is damaged: it holds no JSON object."],
  ["no version", { profiles: {} }, "is damaged: version is missing or not what belongs there."],
  ["no profiles", { version: 1 }, "is damaged: profiles is missing or not what belongs there."],
  [
    "an environment that is none",
    shopWith({ environment: "hunter2" }),
    "is damaged: profiles.shop.environment is missing or not what belongs there.",
  ],
  [
    "a number as address",
    shopWith({ baseUrl: 7 }),
    "is damaged: profiles.shop.baseUrl is missing or not what belongs there.",
  ],
  ["a name that is none", { version: 1, profiles: { "My hunter2": {} } }, "is damaged: a name in it isn't valid."],
  ["a later version", { version: 2, profiles: "hunter2" }, "was written by a later version of partner."],
  ["10 MB", " ".repeat(10_000_000), "is larger than 1048576 bytes."],
])("%s is reported without its content, and left as it is", async (_title, config, problem) => {
  const { host, configPath } = profileWorld({ config });
  const before = readFileSync(configPath);
  const failures = [
    await failureOf(readSettings(host)),
    await failureOf(editProfiles(host, ({ settings, save }) => save(settings))),
  ];
  for (const { ending, message, hint } of failures) {
    expect({ ending, message }).toEqual({ ending: "setup", message: `${configPath} ${problem}` });
    expect(hint).toMatch(/^It is left as it is\. (Repair it, or move it away and begin again: mv |Update partner)/);
    expect(message + hint).not.toContain("hunter2");
  }
  expect(readFileSync(configPath).equals(before)).toBe(true);
});

test("bytes that aren't text count as damage", async () => {
  const { host, configPath } = profileWorld({ config: "x" });
  writeFileSync(configPath, Buffer.from([0xff, 0xfe, 0x00, 0x80]));
  expect((await failureOf(readSettings(host))).message).toBe(`${configPath} is damaged: it is not JSON.`);
});

test("a folder in the file's place is reported", async () => {
  const { host, configPath } = profileWorld();
  mkdirSync(configPath, { recursive: true });
  expect(await failureOf(readSettings(host))).toMatchObject({
    ending: "setup",
    message: `${configPath} is a folder, and a file belongs there.`,
    hint: `It is left as it is. Repair it, or move it away and begin again: mv ${configPath} ${configPath}.old`,
  });
});

test("a link in the file's place is not followed", async () => {
  const { configPath } = profileWorld({ config: shop.config });
  const linked = profileWorld();
  mkdirSync(linked.folder);
  symlinkSync(configPath, linked.configPath);
  expect((await failureOf(readSettings(linked.host))).message).toBe(
    `${linked.configPath} is a link, and only the file itself is trusted.`,
  );
});

test("a folder that cannot be made is a set-up error", async () => {
  const { host, folder } = profileWorld();
  writeFileSync(folder, "a file");
  expect(await failureOf(editProfiles(host, ({ settings, save }) => save(settings)))).toMatchObject({
    ending: "setup",
    message: `${folder} cannot be made: something else is there already.`,
  });
});
