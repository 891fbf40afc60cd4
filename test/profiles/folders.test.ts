import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configFolder, makeFolder, stateFolder } from "../../src/profiles/folders.ts";
import type { World } from "../memory-host.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";

const find = (world: World) => {
  const host = memoryHost(world);
  return [configFolder(host), stateFolder(host)];
};
const inUserDatabase = (path: string | undefined) => ({ homeFolder: () => path });

test.each<[string, World, string[]]>([
  [
    "our own variables come first",
    { environment: { PARTNER_CONFIG_DIR: "/c", PARTNER_STATE_DIR: "/s", XDG_CONFIG_HOME: "/x", HOME: "/home/a" } },
    ["/c", "/s"],
  ],
  [
    "they are enough without a home",
    { environment: { PARTNER_CONFIG_DIR: "/c", PARTNER_STATE_DIR: "/s", HOME: "" } },
    ["/c", "/s"],
  ],
  [
    "then the folders of the XDG specification",
    { environment: { XDG_CONFIG_HOME: "/xc", XDG_STATE_HOME: "/xs", HOME: "/home/a" } },
    ["/xc/partner", "/xs/partner"],
  ],
  [
    "which do not count when they are relative or empty",
    { environment: { XDG_CONFIG_HOME: "xc", XDG_STATE_HOME: "", HOME: "/home/a" } },
    ["/home/a/.config/partner", "/home/a/.local/state/partner"],
  ],
  [
    "an empty variable of ours counts as unset",
    { environment: { PARTNER_CONFIG_DIR: "", PARTNER_STATE_DIR: "", HOME: "/home/a" } },
    ["/home/a/.config/partner", "/home/a/.local/state/partner"],
  ],
  [
    "where HOME is unset the user database knows the home",
    { machine: inUserDatabase("/home/b") },
    ["/home/b/.config/partner", "/home/b/.local/state/partner"],
  ],
  [
    "on Windows they are in the folders for applications",
    {
      environment: {
        APPDATA: String.raw`C:\Users\a\AppData\Roaming`,
        LOCALAPPDATA: String.raw`C:\Users\a\AppData\Local`,
      },
      machine: { platform: "win32" },
    },
    [String.raw`C:\Users\a\AppData\Roaming\partner`, String.raw`C:\Users\a\AppData\Local\partner`],
  ],
  [
    "and below the user's profile where these are not set",
    { machine: { platform: "win32", ...inUserDatabase(String.raw`C:\Users\b`) } },
    [String.raw`C:\Users\b\AppData\Roaming\partner`, String.raw`C:\Users\b\AppData\Local\partner`],
  ],
])("folders: %s", (_title, world, folders) => {
  expect(find(world)).toEqual(folders);
});

test.each<[string, World]>([
  ["empty", { environment: { HOME: "" }, machine: inUserDatabase("/home/b") }],
  ["the root", { environment: { HOME: "/" }, machine: inUserDatabase("/home/b") }],
  ["the root in disguise", { environment: { HOME: "//." } }],
  ["relative", { environment: { HOME: "home" } }],
  ["the root in the user database", { machine: inUserDatabase("/") }],
])("a home that is %s is reported, never guessed", (_title, world) => {
  expect(() => configFolder(memoryHost(world))).toThrow(
    expect.objectContaining({
      ending: "setup",
      message: "There is no home folder to keep profiles and the journal in: HOME is empty or /.",
      hint: "Set HOME, or name two folders with PARTNER_CONFIG_DIR and PARTNER_STATE_DIR.",
    }),
  );
  expect(() => stateFolder(memoryHost(world))).toThrow(expect.objectContaining({ ending: "setup" }));
});

test("a user whom the machine does not know gets a message when HOME is not set", () => {
  for (const find of [configFolder, stateFolder])
    expect(() => find(memoryHost({ machine: { userId: 54_321 } }))).toThrow(
      expect.objectContaining({
        ending: "setup",
        message:
          "There is no home folder to keep profiles and the journal in: HOME is not set, and the machine does not know user 54321.",
        hint: "Set HOME, or name two folders with PARTNER_CONFIG_DIR and PARTNER_STATE_DIR.",
      }),
    );
});

test.each(["PARTNER_CONFIG_DIR", "PARTNER_STATE_DIR"])(
  "a relative %s is refused, because it would change with the working folder",
  (name) => {
    const host = memoryHost({ environment: { [name]: "partner", HOME: "/home/a" } });
    const find = name === "PARTNER_CONFIG_DIR" ? configFolder : stateFolder;
    expect(() => find(host)).toThrow(
      expect.objectContaining({ ending: "setup", message: `${name} names a folder by a relative path.` }),
    );
  },
);

test("a folder is made with its parents for this user alone", async () => {
  const parent = join(temporaryFolder(), "a");
  await makeFolder(memoryHost(), join(parent, "b"));
  expect([statSync(parent).mode & 0o777, statSync(join(parent, "b")).mode & 0o777]).toEqual([0o700, 0o700]);
});
