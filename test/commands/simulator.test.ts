import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { listen } from "../../src/host/server/node-listener.ts";
import { credentials } from "../../src/simulator/credentials.ts";
import { defaultBasePath as basePath } from "../../src/simulator/routes.ts";
import { temporaryFolder } from "../memory-host.ts";
import { start as startServer } from "../host/servers.ts";
import { run, words } from "../partner.ts";
import { hasTmux, openTerminal } from "../terminal.ts";
import { receiver } from "../webhooks/receiver.ts";
import { errorIn } from "./served.ts";
import { whileRunning } from "./while-running.ts";
import { program } from "../program.ts";

describe("simulator start", () => {
  test("prints all settings as one JSON object, and writes the same to the ready file", async () => {
    const path = join(temporaryFolder(), "ready.json");
    let origin = "";
    const ended = await whileRunning(`simulator start --output json --ready-file ${path}`, async (at) => {
      origin = at;
    });
    expect(ended).toMatchObject({ exit: 0, stderr: "" });
    expect(ended.stdout.indexOf("\n")).toBe(ended.stdout.length - 1);
    const ready: Record<string, unknown> = JSON.parse(ended.stdout);
    expect(Object.keys(ready)).toEqual([
      "baseUrl",
      "accountBaseUrl",
      "environment",
      "accountId",
      "secretKey",
      "accessToken",
      "webhookKey",
      "wallets",
      "accounts",
    ]);
    expect(ready).toMatchObject({ environment: "live", accountBaseUrl: origin });
    expect(readFileSync(path, "utf8")).toBe(ended.stdout);
  });

  test("sends the webhook of an accepted collection with a valid signature", async () => {
    const hook = await receiver(() => 200);
    onTestFinished(() => hook.stop());
    const environment = { PARTNER_ACCOUNT_ID: credentials.accountId, PARTNER_SECRET_KEY: credentials.secretKey };
    const collect = words(
      "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration lunch --callback-url https://127.0.0.1:1/ --reference INV-1 --yes",
    );
    await whileRunning(`simulator start --webhook-url ${hook.url}`, async (origin) => {
      expect((await run(collect, { environment: { ...environment, PARTNER_BASE_URL: origin + basePath } })).exit).toBe(
        0,
      );
      await expect.poll(() => hook.received.length).toBe(1);
    });
    const stdin = hook.received[0]?.body ?? "";
    const key = { PARTNER_WEBHOOK_KEY: credentials.webhookKey };
    const { exit, stdout } = await run(words("webhook verify -"), { stdin, environment: key });
    expect([exit, JSON.parse(stdout).transaction.reference]).toEqual([0, "INV-1"]);
  });

  test("refuses an invalid --webhook-url", async () => {
    const { exit, stderr } = await run(words("simulator start --webhook-url 127.0.0.1:8080"));
    expect(exit).toBe(2);
    expect(stderr).toContain('--webhook-url "127.0.0.1:8080" does not start with https:// or http://.');
  });

  test("prints one line for people that begins with ready and the address", async () => {
    let origin = "";
    const ended = await whileRunning("simulator start", async (at) => {
      origin = at;
    });
    expect(ended.stdout).toMatch(
      /^ready \S+ account-base-url \S+ account-id \S+ secret-key \S+ access-token \S+ webhook-key \S+\n$/,
    );
    expect(ended.stdout).toContain(`ready ${origin}/`);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("ends with 0 on %s and frees its port", async (signal) => {
    let port = "";
    const ended = await whileRunning("simulator start", async (origin) => void (port = new URL(origin).port), signal);
    expect(ended).toMatchObject({ exit: 0, stderr: "" });
    const again = await whileRunning(`simulator start --port ${port}`, async () => undefined, signal);
    expect(again).toMatchObject({ exit: 0, stderr: "" });
  });

  test("--environment sandbox reports the environment sandbox", async () => {
    const ended = await whileRunning("simulator start --environment sandbox --json", async () => undefined);
    expect(JSON.parse(ended.stdout)).toMatchObject({ environment: "sandbox" });
  });

  test("--state keeps the world between two runs", async () => {
    const path = join(temporaryFolder(), "state.json");
    const balances: string[] = [];
    const look = async (origin: string) => {
      const environment = { PARTNER_BASE_URL: `${origin}${basePath}`, PARTNER_ACCOUNT_ID: credentials.accountId };
      const list = words("wallets list --csv --columns accountNo,balance");
      const { stdout } = await run(list, {
        environment: { ...environment, PARTNER_SECRET_KEY: credentials.secretKey },
      });
      balances.push(stdout);
    };
    await whileRunning(`simulator start --state ${path} --seed empty`, look);
    await whileRunning(`simulator start --state ${path}`, look);
    await whileRunning("simulator start", look);
    const [empty, kept, demo] = balances;
    expect(kept).toBe(empty);
    expect(demo).not.toBe(empty);
  });

  const refusals: readonly [string, number, RegExp][] = [
    ["--seed nowhere.json", 2, /^Error: The seed nowhere\.json can't be used: there is no such file or folder\.\n/],
    ["--seed /", 2, /^Error: The seed \/ can't be used: it is a folder\.\n/],
    ["--state /", 3, /^Error: The simulator's state file \/ can't be used: it is a folder\.\n/],
    ["--seed ''", 2, /^Error: --seed is empty/],
    ["--clock yesterday", 2, /^Error: --clock "yesterday" isn't a moment/],
    ["--port 70000", 2, /^Error: --port takes a whole number/],
    ["--state /nowhere/state.json", 3, /^Error: The simulator's state can't be kept in/],
    [
      "--ready-file /nowhere/ready.json",
      2,
      /^Error: --ready-file \/nowhere\/ready\.json cannot be written: its folder/,
    ],
  ];
  test.each(refusals)("with %s ends with %i and prints no ready line", async (flags, exit, says) => {
    const ended = await run(words(`simulator start ${flags}`));
    expect(ended).toMatchObject({ exit, stdout: "" });
    expect(ended.stderr).toMatch(says);
  });

  test("refuses an invalid seed or state file in plain words and leaves the file unchanged", async () => {
    const path = join(temporaryFolder(), "garbage.json");
    writeFileSync(path, '{"wallets": [');
    for (const [flag, exit, what] of [
      ["--seed", 2, "The seed"],
      ["--state", 3, "The simulator's state file"],
    ] as const) {
      const refused = await run(words(`simulator start ${flag} ${path}`));
      expect(refused).toMatchObject({ exit, stdout: "" });
      expect(refused.stderr.startsWith(`Error: ${what} ${path} can't be used: `)).toBe(true);
      expect(refused.stderr).not.toMatch(/\bat \S+ \(|\.[jt]s:\d|SyntaxError/);
    }
    expect(readFileSync(path, "utf8")).toBe('{"wallets": [');
  });

  test("ends with 5 when the port is in use", async () => {
    const port = await startServer(createServer());
    const taken = await run(words(`simulator start --port ${port} --json`));
    expect(taken).toMatchObject({ exit: 5, stdout: "" });
    expect(errorIn(taken)).toMatchObject({
      ending: "unavailable",
      message: `The simulator can't listen on port ${port}: the port is in use.`,
      hint: expect.stringContaining("--port 0"),
    });
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("as the real program is ready, and ends with 0 on %s", async (signal) => {
    const child = spawn(process.execPath, [program, "simulator", "start"], { stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [said] = await once(child.stdout, "data");
    expect(String(said)).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+/);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

describe("simulator run", () => {
  const noted = "Money in this shell is not real; its profiles and its journal are removed at the end.\n";

  test("runs a command that reaches only the simulator", async () => {
    const inside = `${process.execPath} ${program} wallets list --csv --columns accountNo --no-header`;
    const environment = { PARTNER_PROFILE: "shop", PARTNER_BASE_URL_FILE: "/nowhere", PARTNER_ACCOUNT_ID: "other" };
    const ended = await run(["simulator", "run", "--", ...words(inside)], { environment });
    expect(ended).toMatchObject({ exit: 0, stderr: `${noted}GET /wallet 200\n` });
    expect(ended.stdout.split("\n").length).toBeGreaterThan(5);
  });

  test("says in one line that the money is not real, except with --quiet", async () => {
    expect(await run(words("simulator run -- true"))).toMatchObject({ exit: 0, stdout: "", stderr: noted });
    expect(await run(words("simulator run --quiet -- true"))).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  });

  test("uses folders of its own and removes them at the end", async () => {
    const folder = temporaryFolder();
    const environment = { PARTNER_CONFIG_DIR: join(folder, "config"), PARTNER_STATE_DIR: join(folder, "state") };
    const tell = 'echo "$PARTNER_CONFIG_DIR"; echo "$PARTNER_STATE_DIR"; mkdir "$PARTNER_CONFIG_DIR"; echo made';
    const { exit, stdout } = await run(["simulator", "run", "--", "sh", "-c", tell], { environment });
    const [config = "", state = "", made] = stdout.split("\n");
    expect([exit, made]).toEqual([0, "made"]);
    expect(dirname(config)).toBe(dirname(state));
    expect(config).not.toContain(folder);
    expect([existsSync(dirname(config)), readdirSync(folder)]).toEqual([false, []]);
  });

  test("replaces or empties every variable of another account, in either form", async () => {
    const others = [
      "PROFILE",
      "BASE_URL",
      "ACCOUNT_BASE_URL",
      "ENVIRONMENT",
      "ACCOUNT_ID",
      "SECRET_KEY",
      "ACCESS_TOKEN",
      "WEBHOOK_KEY",
      "JOURNAL_URL",
    ].flatMap((name) => [`PARTNER_${name}`, `PARTNER_${name}_FILE`]);
    const environment = Object.fromEntries(others.map((name) => [name, "mine"]));
    const { exit, stdout } = await run(["simulator", "run", "--", "env"], { environment });
    const reached = stdout.split("\n").filter((line) => line.startsWith("PARTNER_"));
    expect(exit).toBe(0);
    expect(reached.filter((line) => line.endsWith("=mine"))).toEqual([]);
    expect(others.filter((name) => !reached.some((line) => line.startsWith(`${name}=`)))).toEqual([]);
  });

  test.for(["PARTNER_STATE_DIR", "PARTNER_CONFIG_DIR", "PARTNER_JOURNAL_URL", "PARTNER_JOURNAL_URL_FILE"])(
    "keeps its orders out of the real journal that %s names",
    async (name) => {
      const transfer = `${process.execPath} ${program} transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --yes`;
      const folder = temporaryFolder();
      const value = name.endsWith("_DIR") ? folder : "postgres://127.0.0.1:1/real";
      const environment = { PARTNER_STATE_DIR: temporaryFolder(), [name]: value };
      const { exit, stderr } = await run(["simulator", "run", "--", ...words(transfer)], { environment });
      const requests = /^(?:GET|POST) \/\S* 200.*\n/gm;
      expect([exit, stderr.replaceAll(requests, "")]).toEqual([0, noted]);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test("can run inside itself, each with its own journal", async () => {
    const tell = 'echo "$PARTNER_STATE_DIR"';
    const inner = `${process.execPath} ${program} simulator run --quiet -- sh -c '${tell}'`;
    const { exit, stdout } = await run(["simulator", "run", "--", "sh", "-c", `${tell}; ${inner}`]);
    expect([exit, new Set(stdout.trim().split("\n")).size]).toEqual([0, 2]);
  });

  test("ends with 3 and starts no command when no temporary folder can be made", async () => {
    const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    const files = { ...nodeFiles(), temporaryFolder: () => Promise.reject(full) };
    const { exit, stdout, stderr } = await run(words("simulator run -- echo up"), { host: { files } });
    expect([exit, stdout]).toEqual([3, ""]);
    expect(stderr).toMatch(/^Error: A temporary folder cannot be made: the disk is full\.\n/);
  });

  test("simulates faults given as flags, including reversed rows", async () => {
    const partner = `${process.execPath} ${program}`;
    const transfer = `${partner} transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference R-1 --yes`;
    const script = `${transfer} >/dev/null 2>&1; echo "exit $?"; ${partner} journal resolve R-1 --json`;
    const faults = ["--fault", "lose-answer=transfer:1", "--fault", "reverse-row=REV {reference},transfer"];
    // The command uses the real clock, and reads statements of the real day.
    const world = { now: Date.now() };
    const { exit, stdout } = await run(["simulator", "run", ...faults, "--", "sh", "-c", script], world);
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^exit 6\n[^]*"state": "reversed"/)]);
  });

  test("ends with the command's exit code", async () => {
    for (const code of [0, 1, 3, 7, 130])
      expect(await run(["simulator", "run", "--", "sh", "-c", `exit ${code}`])).toMatchObject({
        exit: code,
        stderr: noted,
      });
    for (const signal of ["TERM", "HUP"])
      expect(await run(["simulator", "run", "--", "sh", "-c", `kill -${signal} $$`])).toMatchObject({ exit: 143 });
  });

  test.skipIf(!hasTmux)(
    `leaves nothing behind when its terminal is closed${hasTmux ? "" : " (needs tmux)"}`,
    async () => {
      const folder = temporaryFolder();
      // The simulator's answer proves that it was fully started.
      const inside = ["sh", "-c", `${process.execPath} ${program} wallets list --csv; echo parent $PPID.; exec cat`];
      const terminal = openTerminal(["simulator", "run", "--", ...inside], { TMPDIR: folder });
      const [, parent = ""] = /parent (\d+)\./.exec(await terminal.shows("parent ")) ?? [];
      expect(readdirSync(folder)).not.toEqual([]);
      process.kill(Number(parent), "SIGHUP");
      await terminal.shows("exit 143");
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test("passes all words after -- to the command unchanged", async () => {
    const ended = await run(["simulator", "run", "--json", "--", "printf", "%s|", "--help", "-h", "--json", "a b", ""]);
    expect(ended).toMatchObject({ exit: 0, stdout: "--help|-h|--json|a b||" });
  });

  test("leaves stdout to the command, whatever the output format", async () => {
    for (const format of ["table", "json", "csv"])
      expect((await run(["simulator", "run", "--output", format, "--", "echo", "mine"])).stdout).toBe("mine\n");
  });

  test("ends with 2 for a program that does not exist or cannot be run, and the simulator is gone", async () => {
    for (const name of ["no-such-program", "/etc", ""]) {
      const [folders, origins]: [string[], string[]] = [[], []];
      const files = {
        ...nodeFiles(),
        temporaryFolder: async () => {
          const made = await nodeFiles().temporaryFolder();
          folders.push(made.path);
          return made;
        },
      };
      const host = {
        files,
        listen: async (...[options, answer]: Parameters<typeof listen>) => {
          const server = await listen(options, answer);
          origins.push(server.origin);
          return server;
        },
      };
      expect(await run(["simulator", "run", "--", name], { host })).toMatchObject({ exit: 2, stdout: "" });
      expect([folders.length, folders.filter((folder) => existsSync(folder)), origins.length]).toEqual([1, [], 1]);
      for (const origin of origins) await expect(fetch(origin)).rejects.toThrow("fetch failed");
    }
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("passes %s on to the command and ends with its code", async (signal) => {
    const inside = ["sh", "-c", "trap 'exit 3' TERM HUP; echo up; while :; do sleep 0.05; done"];
    const child = spawn(process.execPath, [program, "simulator", "run", "--", ...inside], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([3, null]);
  });
});
