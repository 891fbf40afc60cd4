import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createPort } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { start as startServer } from "../host/servers.ts";
import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";
import { compiled, program } from "../program.ts";
import { hasTmux, openTerminal } from "../terminal.ts";
import { vanishing } from "../vanishing.ts";

const partner = `'${process.execPath}' '${program}'`;

/** A machine with a home folder and a shell. A background simulator still running at the end is stopped. */
function machine(name = "home") {
  const folder = temporaryFolder();
  const home = join(folder, name);
  const temporary = join(folder, "tmp");
  for (const path of [home, temporary]) mkdirSync(path, { recursive: true });
  const environment = { PATH: process.env["PATH"], HOME: home, TMPDIR: temporary, LANG: "C.UTF-8", ...compiled };
  const state = join(home, ".local/state/partner");
  const type = async (script: string, shell: readonly string[] = ["bash", "-c"], more = {}) => {
    const [command = "", ...args] = shell;
    const child = spawn(command, [...args, script.replaceAll("partner ", `${partner} `)], {
      env: { ...environment, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "close");
    const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { exit, stdout, stderr };
  };
  const record = join(state, "simulator.json");
  const known = (): { processId: number; control: string; access: { accountBaseUrl: string; secretKey: string } } =>
    JSON.parse(readFileSync(record, "utf8"));
  onTestFinished(async () => {
    if (existsSync(record)) await type("partner simulator stop");
  });
  return { home, temporary, environment, state, record, known, type };
}

const runs = "A simulator runs in the background. Its money is not real. To stop it: partner simulator stop\n";
const one = "A simulator runs in the background already. To stop it: partner simulator stop\n";

describe("simulator start --background --env", () => {
  const shells: readonly (readonly [string, readonly string[], string])[] = [
    ["bash", ["bash", "-c"], 'eval "$(partner simulator start --background --env)"'],
    ["sh", ["sh", "-c"], 'eval "$(partner simulator start --background --env)"'],
    ["zsh", ["zsh", "-f", "-c"], 'eval "$(partner simulator start --background --env)"'],
    ["fish", ["fish", "--no-config", "-c"], "eval (partner simulator start --background --env)"],
  ];
  test.for(shells.filter(([name]) => spawnSync(name, ["-c", "true"]).status === 0))(
    "points %s to the simulator with its own journal, and stop --env undoes it",
    async ([, shell, start]) => {
      const { temporary, state, type } = machine("it's \\ a $HOME `x`");
      const order =
        "partner transfer --from 9000112233 --to 9000112244 --amount 500 --description rent --yes --output csv --columns state --no-header";
      const look = "partner journal list --output csv --columns amount --no-header";
      const end = start.replace("start --background", "stop");
      const ended = await type(
        `${start}\n${order}\n${look}\n${end}\nprintenv PARTNER_BASE_URL PARTNER_STATE_DIR`,
        shell,
      );
      expect(ended.stdout).toBe("accepted\n500\n\n\n");
      expect(ended.stderr).toMatch(
        /^A simulator runs [^\n]+\nThe simulator at http:\/\/127\.0\.0\.1:\d+ is stopped\.\n$/,
      );
      expect([readdirSync(state), readdirSync(temporary)]).toEqual([[], []]);
    },
  );

  test("sets quoted $env variables for PowerShell, and stop --env empties them", async () => {
    const { home, state, known, type } = machine("it's ’ a $HOME");
    const start = await type("partner simulator start --background --env --shell powershell", undefined, {
      PARTNER_PROFILE: "shop",
    });
    expect(start.exit).toBe(0);
    const lines = start.stdout.trimEnd().split("\n");
    expect(lines.filter((line) => !/^\$env:PARTNER_\w+ = '(?:[^'’]|''|’’)*'$/.test(line))).toEqual([]);
    expect(lines[0]).toBe("$env:PARTNER_PROFILE = ''");
    expect(lines).toContain(`$env:PARTNER_SECRET_KEY = '${known().access.secretKey}'`);
    const folder = state.replaceAll(/['’]/g, "$&$&");
    expect(lines).toContain(`$env:PARTNER_SIMULATOR_DIR = '${folder}'`);
    expect(home).toContain("'");
    const stop = await type("partner simulator stop --env --shell powershell", undefined, {
      PARTNER_SIMULATOR_DIR: state,
      PARTNER_BASE_URL: "x",
    });
    expect(stop.stdout).toBe("$env:PARTNER_BASE_URL = ''\n$env:PARTNER_SIMULATOR_DIR = ''\n");
  });

  test("requires --env for --shell", async () => {
    const { type } = machine();
    for (const line of [
      "partner simulator start --background --shell powershell",
      "partner simulator stop --shell fish",
    ])
      expect(await type(line)).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining("--env") });
  });

  test("empties variables set for another account, and no others", async () => {
    const { type } = machine();
    const { stdout } = await type("partner simulator start --background --env", undefined, {
      PARTNER_PROFILE: "shop",
      PARTNER_SECRET_KEY_FILE: "/run/secrets/key",
    });
    const names = Array.from(stdout.matchAll(/^export (\w+)='([^']*)';$/gm), ([, name, value]) => [name, value]);
    expect(names.filter(([, value]) => value === "")).toEqual([
      ["PARTNER_PROFILE", ""],
      ["PARTNER_SECRET_KEY_FILE", ""],
    ]);
    expect(names.length).toBe(stdout.split("\n").length - 1);
  });

  test("reuses the running simulator, from the same shell and from another", async () => {
    const { type, known } = machine();
    const first = await type(
      'eval "$(partner simulator start --background --env)"; partner simulator start --background',
    );
    const second = await type("partner simulator start --background");
    expect(second.stdout).toBe(first.stdout);
    expect([first.stderr, second.stderr]).toEqual([runs + one, one]);
    expect(first.stdout).toContain(`account-base-url ${known().access.accountBaseUrl} `);
  });

  test("starts one simulator when called twice at once", async () => {
    const { type } = machine();
    const start = () => type("partner simulator start --background --quiet");
    const [first, second] = await Promise.all([start(), start()]);
    expect([first.exit, first.stderr, second.stderr]).toEqual([0, "", ""]);
    expect(second.stdout).toBe(first.stdout);
  });

  test("is refused with other flags while a simulator runs", async () => {
    const { type } = machine();
    await type("partner simulator start --background --seed empty");
    expect(await type("partner simulator start --background --seed demo")).toEqual({
      exit: 2,
      stdout: "",
      stderr:
        "Error: A simulator runs in the background already, with --seed empty.\nHint: Stop it first: partner simulator stop\n",
    });
  });

  test("leaves no simulator to stop if its record disappears while it is read", async () => {
    const { record, state } = machine();
    mkdirSync(state, { recursive: true });
    writeFileSync(record, "{}", { mode: 0o600 });
    const environment = { PARTNER_STATE_DIR: state };
    const { exit, stderr } = await run(["simulator", "stop"], {
      environment,
      host: { files: vanishing(/simulator\.json$/) },
    });
    expect([exit, stderr]).toEqual([0, "There is no simulator in the background.\n"]);
  });

  test("keeps its money over a stop with --state", async () => {
    const { home, type } = machine();
    const start = `eval "$(partner simulator start --background --env --quiet --state ${home}/world.json)"`;
    const order = "partner transfer --from 9000112233 --to 9000112244 --amount 500 --description rent --yes --quiet";
    const balance = "partner wallet balance 9000112233 --output csv --columns currentBalance --no-header";
    const before = await type(`${start}; ${order} >/dev/null; ${balance}; partner simulator stop --quiet`);
    const after = await type(`${start}; ${balance}`);
    expect([before.stderr, after.stdout]).toEqual(["", before.stdout]);
  });

  test("requires --background for --env", async () => {
    const { type } = machine();
    const { exit, stdout, stderr } = await type("partner simulator start --env");
    expect([exit, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Error: --env has no effect without --background.\n");
  });

  test("refuses another output format, except for the ready file", async () => {
    const { home, type } = machine();
    const start = "partner simulator start --background --env";
    expect(await type(`${start} --json`)).toMatchObject({
      exit: 2,
      stdout: "",
      stderr: expect.stringContaining(
        "Error: --env prints lines for a shell: json has no effect on them.\nHint: Leave one of them out. With --ready-file FILE, json is the form of that file.\n",
      ),
    });
    expect(await type(`${start} --csv`)).toMatchObject({
      exit: 2,
      stderr: "Error: --env prints lines for a shell: csv has no effect on them.\nHint: Leave one of them out.\n",
    });
    expect(await type("partner simulator stop --env --json")).toMatchObject({ exit: 2, stdout: "" });
    const written = await type(`${start} --json --ready-file ${home}/ready.json --quiet`);
    expect(written).toMatchObject({ exit: 0, stdout: expect.stringContaining("export PARTNER_BASE_URL=") });
    expect(JSON.parse(readFileSync(`${home}/ready.json`, "utf8"))).toHaveProperty("baseUrl");
    expect(await type(`export PARTNER_OUTPUT=json; ${start} --quiet`)).toMatchObject({
      exit: 0,
      stdout: written.stdout,
    });
  });

  test("that cannot start says why as in the foreground, and leaves nothing behind", async () => {
    const { temporary, state, type } = machine();
    const port = await startServer(createPort());
    const ended = await type(`partner simulator start --background --json --port ${port}`);
    const foreground = await type(`partner simulator start --json --port ${port}`);
    expect(ended).toEqual({ ...foreground, exit: 5, stdout: "" });
    expect(JSON.parse(ended.stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      error: { message: `The simulator can't listen on port ${port}: the port is in use.` },
    });
    expect([readdirSync(state), readdirSync(temporary)]).toEqual([[], []]);
  });

  test.skipIf(process.platform !== "linux")("shows no secret in the list of processes", async () => {
    const { type, known } = machine();
    await type("partner simulator start --background");
    const { processId, control, access } = known();
    const line = readFileSync(`/proc/${processId}/cmdline`, "utf8");
    expect(line).toContain("--background");
    expect([line.includes(access.secretKey), line.includes(control.slice(-20))]).toEqual([false, false]);
  });

  test.skipIf(!hasTmux)("keeps running when its terminal is closed", async () => {
    const { environment, type } = machine();
    const { HOME, TMPDIR } = environment;
    const terminal = openTerminal(["simulator", "start", "--background"], { HOME, TMPDIR });
    await terminal.shows("exit 0");
    await terminal.close();
    expect((await type("partner simulator start --background")).stderr).toBe(one);
  });
});

describe("simulator stop", () => {
  test("without a running simulator says so and ends with 0", async () => {
    const { home, type } = machine();
    const none = { exit: 0, stdout: "", stderr: "There is no simulator in the background.\n" };
    expect([await type("partner simulator stop"), readdirSync(home)]).toEqual([none, []]);
    expect(await type("partner simulator stop --env", undefined, { PARTNER_BASE_URL: "https://real.example" })).toEqual(
      none,
    );
  });

  test("without --env says that the shell still has its variables", async () => {
    const { type } = machine();
    const { stderr } = await type('eval "$(partner simulator start --background --env -q)"; partner simulator stop');
    expect(stderr).toMatch(
      /is stopped\.\nThis shell still has its variables\. To empty them: eval "\$\(partner simulator stop --env\)"\n$/,
    );
  });

  test("works despite a simulated fault", async () => {
    const { type } = machine();
    await type("partner simulator start --background --fault slow-headers=60s,any");
    expect((await type("partner simulator stop")).stderr).toMatch(/ is stopped\.\n$/);
  });

  test("reports a killed simulator, even if its port or process id was reused", async () => {
    const { record, known, type } = machine();
    const port = await freePort();
    await type(`partner simulator start --background --port ${port}`);
    process.kill(known().processId, "SIGKILL");
    // The port is free once the killed process is gone.
    await expect.poll(() => fetch(`http://127.0.0.1:${port}`).catch(() => "gone")).toBe("gone");
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(request.method ?? "");
      response.end("yes");
    }).listen(port, "127.0.0.1");
    onTestFinished(() => void other.close());
    writeFileSync(record, JSON.stringify({ ...known(), processId: process.pid }), { mode: 0o600 });
    expect(await type("partner simulator stop")).toEqual({
      exit: 0,
      stdout: "",
      stderr: `The simulator at http://127.0.0.1:${port} had ended already.\n`,
    });
    expect([asked, existsSync(record)]).toEqual([["POST"], false]);
  });

  test("is not needed before starting again after a killed simulator", async () => {
    const { known, type } = machine();
    await type("partner simulator start --background");
    process.kill(known().processId, "SIGKILL");
    expect(await type("partner simulator start --background --seed empty")).toMatchObject({ exit: 0, stderr: runs });
  });

  test("refuses a record that is damaged or readable by others", async () => {
    const { state, record, type } = machine();
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeFileSync(record, '{"version":1', { mode: 0o600 });
    for (const line of ["partner simulator stop", "partner simulator start --background --env"])
      expect(await type(line)).toMatchObject({ exit: 3, stdout: "", stderr: expect.stringContaining("is damaged") });
    chmodSync(record, 0o644);
    expect(await type("partner simulator stop")).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining("other users"),
    });
  });
});
