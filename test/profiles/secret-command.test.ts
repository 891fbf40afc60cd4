import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandStore } from "../../src/profiles/secrets/command-store.ts";
import type { Host } from "../../src/host/host.ts";
import type { Profile } from "../../src/profiles/profile.ts";
import { Secret } from "../../src/values/secret.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { failureOf, profileWorld, shop } from "./fixture.ts";

const now = Date.UTC(2026, 2, 31, 9, 0, 0);

/** A profile whose credentialCommand is a small JavaScript program. */
function commandWorld(program: string, world: World = {}) {
  const script = join(temporaryFolder(), "say secrets.cjs");
  writeFileSync(script, program);
  return storeOf(`"${process.execPath}" '${script}' a\\ b`, world);
}

function storeOf(credentialCommand: string, world: World = {}) {
  const profile: Profile = { ...shop.config.profiles.shop, secretStore: "command", credentialCommand };
  const config = { version: 1, profiles: { shop: profile } };
  const { host, folder, configPath } = profileWorld({ config, now, ...world });
  return { store: commandStore(host, "shop", profile), host, folder, configPath };
}

const printing = (output: unknown) => `console.log(${JSON.stringify(JSON.stringify(output))})`;

test("secrets printed by the command are bound to the addresses of the profile", async () => {
  const expiration = "2026-03-31T12:00:01+03:00";
  const { store } = commandWorld(
    printing({ version: 1, secretKey: "s", accessToken: "t", webhookKey: null, expiration }),
  );
  const { secretKey, accessToken, webhookKey } = await store.read();
  expect([secretKey?.value.reveal(), secretKey?.boundTo]).toEqual(["s", "https://sandbox.example/tembo/v1"]);
  expect([accessToken?.value.reveal(), accessToken?.boundTo]).toEqual(["t", "https://accounts.example"]);
  expect(webhookKey).toBeUndefined();
});

test("the command line is split as by a shell, and no shell runs", async () => {
  const { store } = commandWorld(
    `console.log(JSON.stringify({ version: 1, secretKey: process.argv.slice(2).join("|") }))`,
  );
  expect((await store.read()).secretKey?.value.reveal()).toBe("a b");
});

test.each<[string, string, string]>([
  ["prints garbage", `console.log("hunter2")`, "printed something other than the JSON object that was asked for"],
  ["prints nothing", "", "printed something other than the JSON object that was asked for"],
  [
    "prints another version",
    printing({ version: 2, secretKey: "hunter2" }),
    "printed something other than the JSON object that was asked for",
  ],
  [
    "prints a number",
    printing({ version: 1, secretKey: 7 }),
    "printed something other than the JSON object that was asked for",
  ],
  [
    "prints bytes",
    "process.stdout.write(Buffer.from([255, 254]))",
    "printed something other than the JSON object that was asked for",
  ],
  ["fails", `console.log("hunter2"); process.exit(3)`, "ended with exit code 3"],
  [
    "prints a day",
    printing({ version: 1, expiration: "2026-04-01" }),
    "printed an expiration that isn't a time with its zone",
  ],
  [
    "prints a zoneless time",
    printing({ version: 1, expiration: "2026-04-01T00:00:00" }),
    "printed an expiration that isn't a time with its zone",
  ],
  [
    "prints a time that is none",
    printing({ version: 1, expiration: "2026-04-31T25:00:00Z" }),
    "printed an expiration that isn't a time with its zone",
  ],
  [
    "prints what has just expired",
    printing({ version: 1, secretKey: "hunter2", expiration: "2026-03-31T09:00:00Z" }),
    "printed secrets that have expired",
  ],
])("a command that %s is reported, without its output", async (_title, program, problem) => {
  const failure = await failureOf(commandWorld(program).store.read());
  expect(failure).toMatchObject({ ending: "setup", message: `The credentialCommand of profile shop ${problem}.` });
  expect(failure.message + failure.hint).not.toContain("hunter2");
});

test("a command that prints without end is cut at 64 KiB", async () => {
  const { store } = commandWorld(`setInterval(() => process.stdout.write("x".repeat(9999)), 0)`);
  expect((await failureOf(store.read())).message).toBe(
    `The credentialCommand of profile shop failed: ${process.execPath} wrote more than 65536 bytes.`,
  );
});

test("a process that the command leaves running is not waited for, even if it keeps stdout open", async () => {
  const left = join(temporaryFolder(), "left");
  const { store } = commandWorld(`
    const stdio = ["ignore", "inherit", "ignore"];
    const child = require("node:child_process").spawn("sleep", ["600"], { stdio, detached: true });
    require("node:fs").writeFileSync(${JSON.stringify(left)}, String(child.pid));
    child.unref();
    ${printing({ version: 1, secretKey: "s".repeat(60_000) })}`);
  onTestFinished(() => void process.kill(Number(readFileSync(left, "utf8"))));
  expect((await store.read()).secretKey?.value.reveal()).toHaveLength(60_000);
});

test("secrets printed by a child are waited for when the command itself ends first", async () => {
  const late = `while kill -0 "$0" 2>&-; do sleep 0.1; done; echo '${JSON.stringify({ version: 1, secretKey: "s" })}'`;
  const { store } = commandWorld(`
    const stdio = ["ignore", "inherit", "ignore"];
    const args = ["-c", ${JSON.stringify(late)}, String(process.pid)];
    require("node:child_process").spawn("sh", args, { stdio, detached: true }).unref();`);
  expect((await store.read()).secretKey?.value.reveal()).toBe("s");
});

test("a command has a time limit of 30 seconds", async () => {
  const { host } = storeOf("say-secrets");
  const limits: unknown[] = [];
  const run: Host["run"] = async ({ timeoutMs, maxBytes, streams }) => {
    limits.push({ timeoutMs, maxBytes, streams });
    throw new Error("say-secrets did not end within 30000 ms");
  };
  const profile: Profile = { ...shop.config.profiles.shop, secretStore: "command", credentialCommand: "say-secrets" };
  expect((await failureOf(commandStore({ ...host, run }, "shop", profile).read())).message).toBe(
    "The credentialCommand of profile shop failed: say-secrets did not end within 30000 ms.",
  );
  expect(limits).toEqual([{ timeoutMs: 30_000, maxBytes: 65_536, streams: "capture" }]);
});

test.each([
  ["/nowhere/say-secrets", "failed: /nowhere/say-secrets could not be run: there is no such program"],
  ["'say", "names no program, or a quote in it is not closed"],
  ["", "names no program, or a quote in it is not closed"],
])("the command %j cannot be run", async (command, problem) => {
  expect((await failureOf(storeOf(command).store.read())).message).toBe(
    `The credentialCommand of profile shop ${problem}.`,
  );
});

test("Ctrl-C while the command runs is an interruption", async () => {
  const { store, host } = commandWorld("setInterval(() => 0, 1000)");
  const reading = failureOf(store.read());
  host.abort();
  expect((await reading).ending).toBe("interrupted");
});

test("a command is not run when other users can write the profile's file", async () => {
  const { store, configPath } = commandWorld(printing({ version: 1, secretKey: "s" }));
  chmodSync(configPath, 0o620);
  expect(await failureOf(store.read())).toMatchObject({
    ending: "setup",
    message: `${configPath} can be changed by other users, so it is not used.`,
  });
});

test("secrets cannot be stored for a credential command", async () => {
  const { store } = storeOf("say-secrets");
  const secretKey = { value: new Secret("hunter2"), boundTo: "https://sandbox.example" };
  expect(await failureOf(store.write({ secretKey }))).toMatchObject({
    ending: "usage",
    message: "The credentialCommand of profile shop gives its secrets; none can be kept for it.",
  });
});
