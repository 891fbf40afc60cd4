import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const program = join(import.meta.dirname, "../../bin/partner.js");

/** Files of compiled code in that home, in an order of their own. */
function keptIn(home: string): string[] {
  const folder = join(home, ".cache", "partner");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".code"))
    .toSorted()
    .map((name) => join(folder, name));
}

/** Who may write where compiled code is kept can run code as its reader; Windows keeps others out by other means. */
const isWindows = process.platform === "win32";

function emptyHome(): string {
  const home = mkdtempSync(join(tmpdir(), "partner-launcher-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}

function help(environment: NodeJS.ProcessEnv): { exit: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "--help"], {
    env: { PATH: process.env["PATH"], ...environment },
    encoding: "utf8",
  });
  return { exit: status, stdout, stderr };
}

test.skipIf(isWindows)("compiled code is kept in a folder that is open to its owner alone", () => {
  const home = emptyHome();
  expect(help({ HOME: home })).toMatchObject({ exit: 0, stderr: "" });
  const cache = join(home, ".cache", "partner");
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(readdirSync(cache)).not.toEqual([]);
});

test.skipIf(isWindows)("after four runs of a command, a start uses the kept code, and writes none", () => {
  const home = emptyHome();
  const first = help({ HOME: home });
  for (const run of [2, 3, 4]) expect({ run, ...help({ HOME: home }) }).toEqual({ run, ...first });
  const kept = () => keptIn(home).map((path) => [path, statSync(path).mtimeMs, statSync(path).mode & 0o777]);
  const before = kept();
  expect(before.map(([path]) => path)).toContainEqual(expect.stringMatching(/dist-shared-start\.cjs\.code$/));
  expect(before.every(([, , mode]) => mode === 0o600)).toBe(true);
  expect(help({ HOME: home })).toEqual(first);
  expect(kept()).toEqual(before);
});

test.skipIf(isWindows)("code that is called only in a later run is kept too", () => {
  const home = emptyHome();
  const sizes = (args: readonly string[]) => {
    spawnSync(process.execPath, [program, ...args], { env: { PATH: process.env["PATH"], HOME: home } });
    return keptIn(home).map((path) => ({ path, size: statSync(path).size }));
  };
  const first = sizes(["profile", "list", "--json"]);
  const second = sizes(["profile", "list", "--profile", "none", "--json"]);
  expect(second.map(({ path }) => path)).toEqual(first.map(({ path }) => path));
  expect(second.some(({ size }, index) => size > (first[index]?.size ?? size))).toBe(true);
});

test.skipIf(isWindows)("kept code that was damaged on the disk is compiled again", () => {
  const home = emptyHome();
  const first = help({ HOME: home });
  const whole = keptIn(home).map((path) => readFileSync(path));
  const damages: readonly ((bytes: Buffer) => Buffer)[] = [
    (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)),
    () => Buffer.alloc(0),
    (bytes) => Buffer.alloc(bytes.length),
    (bytes) => bytes.fill(1, bytes.length - 1),
    ...[0.2, 0.5, 0.7, 0.9].map((part) => (bytes: Buffer) => {
      const at = Math.floor(bytes.length * part);
      return bytes.fill((bytes[at] ?? 0) ^ 1, at, at + 1);
    }),
  ];
  for (const damage of damages) {
    for (const [index, path] of keptIn(home).entries()) writeFileSync(path, damage(Buffer.from(whole[index] ?? "")));
    expect(help({ HOME: home })).toEqual(first);
    expect(keptIn(home).map((path) => statSync(path).size > 100)).toEqual(whole.map(() => true));
  }
});

/** A copy of what is installed, which a test may change. */
function copiedBuild(): string {
  const folder = emptyHome();
  for (const part of ["bin", "dist", "package.json"])
    cpSync(join(program, "../..", part), join(folder, part), { recursive: true });
  return folder;
}

test.skipIf(isWindows)("a program file of any length is run, and its code is kept", () => {
  const [home, folder] = [emptyHome(), copiedBuild()];
  const start = join(folder, "dist/shared/start.cjs");
  writeFileSync(start, readFileSync(start, "utf8") + " ".repeat(5_000_000));
  const misspelt = () =>
    spawnSync(process.execPath, [join(folder, "bin/partner.js"), "walets"], {
      env: { PATH: process.env["PATH"], HOME: home },
      encoding: "utf8",
    }).stderr;
  for (const run of [1, 2]) {
    expect(misspelt(), `run ${run}`).toContain("There is no command");
    expect(statSync(keptIn(home).find((path) => path.endsWith("start.cjs.code")) ?? "").size).toBeGreaterThan(
      5_000_000,
    );
  }
});

test.skipIf(isWindows)("another build of the same length doesn't use the old code", () => {
  const [home, folder] = [emptyHome(), copiedBuild()];
  const misspelt = () =>
    spawnSync(process.execPath, [join(folder, "bin/partner.js"), "walets"], {
      env: { PATH: process.env["PATH"], HOME: home },
      encoding: "utf8",
    }).stderr;
  expect(misspelt()).toContain("There is no command");
  for (const name of readdirSync(join(folder, "dist/shared"))) {
    const path = join(folder, "dist/shared", name);
    const code = readFileSync(path, "utf8");
    writeFileSync(path, code.replaceAll("There is no command", "There is no CMMANOD"));
  }
  expect(misspelt()).toContain("There is no CMMANOD");
});

test.skipIf(isWindows)("XDG_CACHE_HOME chooses the place of the kept code", () => {
  const home = emptyHome();
  expect(help({ HOME: home, XDG_CACHE_HOME: join(home, "elsewhere") })).toMatchObject({ exit: 0, stderr: "" });
  expect(readdirSync(home)).toEqual(["elsewhere"]);
});

test.skipIf(isWindows)("a folder that others can write to is not used", () => {
  const home = emptyHome();
  const cache = join(home, ".cache", "partner");
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o777);
  expect(help({ HOME: home })).toMatchObject({ exit: 0, stderr: "" });
  expect(readdirSync(cache)).toEqual([]);
});

test.skipIf(isWindows)("no code is kept without a home, or with a read-only one", () => {
  for (const home of ["", "/", "relative", "/dev/null"]) {
    const { exit, stdout, stderr } = help({ HOME: home });
    expect({ exit, stderr, home }).toEqual({ exit: 0, stderr: "", home });
    expect(stdout).toContain("wallets list");
  }
  expect(existsSync("relative")).toBe(false);
});

test.skipIf(process.platform !== "linux")("a folder that cannot be made costs only speed", () => {
  const home = emptyHome();
  for (const folder of ["/proc/nope", "/proc/no/such", join(home, "two", "levels", "missing")])
    expect(help({ HOME: home, XDG_CACHE_HOME: folder })).toMatchObject({ exit: 0, stderr: "" });
  expect(readdirSync(home)).toEqual([]);
});

test("--version prints the program, the machine and the Node", () => {
  const { version }: { version: string } = JSON.parse(readFileSync(join(program, "../../package.json"), "utf8"));
  const { stdout } = spawnSync(process.execPath, [program, "--version"], { encoding: "utf8" });
  expect(stdout).toBe(`partner/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
});

test.each(["development", "test", "production"])("NODE_ENV=%s changes nothing that a person sees", (NODE_ENV) => {
  const home = emptyHome();
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "journal", "list", "--json"], {
    env: { PATH: process.env["PATH"], HOME: home, NODE_ENV },
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "[]\n", stderr: "" });
});
