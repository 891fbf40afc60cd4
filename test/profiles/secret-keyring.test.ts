import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keyringStore } from "../../src/profiles/secrets/keyring-store.ts";
import { Secret } from "../../src/values/secret.ts";
import { temporaryFolder } from "../memory-host.ts";
import { failureOf, profileWorld } from "./fixture.ts";

const boundTo = "https://api.example";
const keyringSession = ["dbus-run-session", "gnome-keyring-daemon"].every(
  (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);
const title = keyringSession ? "" : " (skipped: needs gnome-keyring and dbus-run-session)";

interface Session {
  /** Reaches the session's message bus. */
  readonly environment: Record<string, string>;
  end(): Promise<void>;
}

/** A desktop session with its keyring in `home`; ends with the test at the latest. */
async function openSession(home: string, password: string | undefined): Promise<Session> {
  const start =
    password === undefined
      ? "gnome-keyring-daemon --start --components=secrets"
      : `printf %s '${password}' | gnome-keyring-daemon --unlock --components=secrets`;
  const script = `${start} >/dev/null 2>&1; echo "$DBUS_SESSION_BUS_ADDRESS"; cat`;
  const session = spawn("dbus-run-session", ["--", "sh", "-c", script], {
    env: { PATH: process.env["PATH"], HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(session, "exit");
  const end = async () => {
    session.stdin.end();
    await ended;
  };
  onTestFinished(end);
  const [address] = await once(session.stdout, "data");
  return { environment: { DBUS_SESSION_BUS_ADDRESS: String(address).trim() }, end };
}

test.runIf(keyringSession)(`the keyring stores and returns the secrets of each profile${title}`, async () => {
  const { environment } = await openSession(temporaryFolder(), "open sesame");
  const { host, again } = profileWorld({ environment });
  const store = keyringStore(host, "shop");
  expect(await store.read()).toEqual({});
  const value = new Secret(`a key with "quotes" and ${"x".repeat(4_000)}`);
  await store.write({ secretKey: { value, boundTo }, webhookKey: { value: new Secret("w"), boundTo } });
  await keyringStore(host, "other").write({ accessToken: { value: new Secret("t"), boundTo } });
  const kept = await keyringStore(again({ environment }), "shop").read();
  expect([kept.secretKey?.value.reveal(), kept.secretKey?.boundTo]).toEqual([value.reveal(), boundTo]);
  expect([kept.accessToken, kept.webhookKey?.value.reveal()]).toEqual([undefined, "w"]);
  await store.write({});
  await store.write({});
  expect(await store.read()).toEqual({});
  expect((await keyringStore(host, "other").read()).accessToken?.value.reveal()).toBe("t");
});

test.runIf(keyringSession)(
  `two configuration folders do not share secrets of profiles with the same name${title}`,
  async () => {
    const { environment } = await openSession(temporaryFolder(), "open sesame");
    await keyringStore(profileWorld({ environment }).host, "shop").write({
      secretKey: { value: new Secret("s"), boundTo },
    });
    expect(await keyringStore(profileWorld({ environment }).host, "shop").read()).toEqual({});
  },
);

test.runIf(keyringSession)(`a locked keyring is reported when it is not unlocked${title}`, async () => {
  const home = temporaryFolder();
  const open = await openSession(home, "open sesame");
  const { host, again } = profileWorld({ environment: open.environment });
  await keyringStore(host, "shop").write({ secretKey: { value: new Secret("s"), boundTo } });
  await open.end();
  const { environment } = await openSession(home, undefined);
  const failure = await failureOf(keyringStore(again({ environment }), "shop").read());
  expect(failure.ending).toBe("setup");
  expect(failure.message).toMatch(
    /^The keyring (refused: .*unlock prompt was dismissed|did not answer within 3 seconds)\.$/,
  );
  expect(failure.hint).toContain("--secret-store file");
});

test.runIf(process.platform === "linux")("without a message bus the keyring's own reason is reported", async () => {
  const failure = await failureOf(keyringStore(profileWorld().host, "shop").read());
  expect(failure).toMatchObject({
    ending: "setup",
    hint: "Start and unlock it (on Linux: a desktop session, or gnome-keyring with D-Bus). Or keep the secrets in a file: --secret-store file.",
  });
  expect(failure.message).toMatch(/^The keyring refused: Platform failure: DBus error: .*DBUS_SESSION_BUS_ADDRESS/);
});

test.runIf(process.platform === "linux")(
  "a message bus that never answers is given up after three seconds",
  async () => {
    const path = join(temporaryFolder(), "bus");
    const silent = createServer();
    await new Promise<void>((resolve) => {
      silent.listen(path, resolve);
    });
    onTestFinished(() => void silent.close());
    const { host } = profileWorld({ environment: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` } });
    expect(await failureOf(keyringStore(host, "shop").read())).toMatchObject({
      ending: "setup",
      message: "The keyring did not answer within 3 seconds.",
      hint: "It may be locked: unlock it and run this again. Or keep the secrets in a file: --secret-store file.",
    });
  },
);

test("an invalid answer is not quoted", async () => {
  const { host } = profileWorld();
  const ask = (stdout: string) => {
    const run = () => Promise.resolve({ exit: 0, stdout: Buffer.from(stdout) });
    return failureOf(keyringStore({ ...host, run }, "shop").read());
  };
  expect((await ask("hunter2")).message).toBe("The keyring's answer cannot be read.");
  expect((await ask('{"secret":"hunter2"}')).message).toBe("The keyring's entry for this profile is damaged.");
});

test("Ctrl-C while the keyring is read is an interruption", async () => {
  const { host } = profileWorld();
  const run = async () => {
    host.abort("SIGTERM");
    return { exit: 143, stdout: new Uint8Array() };
  };
  expect(await failureOf(keyringStore({ ...host, run }, "shop").read())).toMatchObject({
    ending: "interrupted",
    exit: 143,
  });
});

test("when npm has not installed the package, the message says how to get it", () => {
  const folder = temporaryFolder();
  const root = join(import.meta.dirname, "../..");
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "node_modules/zod"), join(folder, "node_modules/zod"));
  const script = `
    import { keyringStore } from "./src/profiles/secrets/keyring-store.ts";
    const host = { environment: { PARTNER_CONFIG_DIR: "/c" }, machine: { platform: "linux" } };
    keyringStore(host, "shop").read().catch(({ ending, message, hint }) => console.log(JSON.stringify({ ending, message, hint })));
  `;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder });
  expect(JSON.parse(stdout.toString())).toEqual({
    ending: "setup",
    message: "The package that reaches the system's keyring is not installed.",
    hint: "Install it: npm install --global --include=optional ./partner-*.tgz. Or keep the secrets in a file: --secret-store file.",
  });
});
