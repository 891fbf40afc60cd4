import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { obstacle } from "../movements/harmed-run.ts";
import { compiled, program } from "../program.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// What is reported as written is on the disk, and so is its name; when the disk fails, the error says so.

const wallet = "9000112233";
const why = obstacle();

describe.skipIf(why !== undefined)(`a disk that fails to sync${why === undefined ? "" : ` (skipped: ${why})`}`, () => {
  test.for([
    ["ledger.db-journal", 1],
    ["ledger.db-journal", 2],
    ["ledger.db", 1],
  ] as const)("at %s (%i), when the ledger begins its log, is reported as a disk error", async ([file, nth]) => {
    const desk = await openDesk();
    expect(await desk.run("ledger sync --start-date 2020-01-01")).toMatchObject({ exit: 0 });
    const failed = await desk.run("ledger sync", { path: join(desk.state, file), nth });
    expect(failed.exit).toBe(3);
    expect(failed.stderr).toContain(
      `The ledger ${join(desk.state, "ledger.db")} cannot be used: the disk reports an error.`,
    );
    expect(await desk.run("ledger sync")).toMatchObject({ exit: 0 });
  });

  test.for([1, 2])("at the folder of closes (%i) leaves no close and reports none as written", async (nth) => {
    const desk = await openDesk();
    const folder = join(desk.folder, "closes");
    mkdirSync(folder);
    expect(await desk.run("ledger sync --start-date 2020-01-01")).toMatchObject({ exit: 0 });
    const line = `close --month 2020-01 --to ${join(folder, "2020-01")}`;
    const failed = await desk.run(line, { path: folder, nth });
    expect(failed.exit).toBe(5);
    expect(failed.stderr).toContain("the disk reports an error");
    expect(failed.stderr).not.toContain("Wrote");
    expect(readdirSync(folder)).toEqual([]);
    expect(await desk.run(line)).toMatchObject({ exit: 0 });
    expect(existsSync(join(folder, "2020-01", "manifest.json"))).toBe(true);
  });

  test.for([2, 3])("at the folder of closes (%i) leaves the earlier close in its place", async (nth) => {
    const desk = await openDesk();
    const folder = join(desk.folder, "closes");
    mkdirSync(folder);
    expect(await desk.run("ledger sync --start-date 2020-01-01")).toMatchObject({ exit: 0 });
    const line = `close --month 2020-01 --to ${join(folder, "2020-01")}`;
    expect(await desk.run(line)).toMatchObject({ exit: 0 });
    const before = readFileSync(join(folder, "2020-01", "manifest.json"), "utf8");
    const failed = await desk.run(`${line} --formats html`, { path: folder, nth });
    expect(failed.exit).toBe(5);
    expect(failed.stderr).toContain("is unchanged");
    expect(readdirSync(folder)).toEqual(["2020-01"]);
    expect(readFileSync(join(folder, "2020-01", "manifest.json"), "utf8")).toBe(before);
  });

  test("at the folder of a statement is reported: the file was written, but not for certain", async () => {
    const desk = await openDesk();
    const folder = join(desk.folder, "statements");
    mkdirSync(folder);
    const line = `wallet statement ${wallet} --month 2020-01 --save ${join(folder, "2020-01.csv")}`;
    const failed = await desk.run(line, { path: folder, nth: 1 });
    expect(failed.exit).toBe(5);
    expect(failed.stderr).toContain("2020-01.csv was written, but not for certain: the disk reports an error.");
    expect(failed.stderr).not.toContain("unchanged");
    expect(readFileSync(join(folder, "2020-01.csv"), "utf8")).toContain("R1,");
  });

  test("at the folder above a new state folder keeps no ledger in it, and the next sync succeeds", async () => {
    const desk = await openDesk();
    const failed = await desk.run("ledger sync --start-date 2020-01-01", { path: desk.folder, nth: 1 });
    expect(failed.exit).toBe(3);
    expect(failed.stderr).toContain("the disk reports an error");
    const file = join(desk.state, "ledger.db");
    expect(existsSync(file)).toBe(false);
    expect(await desk.run("ledger sync --start-date 2020-01-01")).toMatchObject({ exit: 0 });
    expect(existsSync(file)).toBe(true);
  });
});

/** A wallet with a month, and runs of the program with one failing sync of a file or folder. */
async function openDesk() {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: [{ ref: "R1", day: "2020-01-05" }] } });
  const folder = temporaryFolder();
  const state = join(folder, "state");
  const environment = { ...desk.environment, PARTNER_STATE_DIR: state, PARTNER_CONFIG_DIR: join(folder, "config") };
  return {
    folder,
    state,
    run: (line: string, failing?: Failing) => runIn(environment, line, failing),
  };
}

interface Failing {
  readonly path: string;
  readonly nth: number;
}

async function runIn(environment: Readonly<Record<string, string>>, line: string, failing?: Failing) {
  const own = [process.execPath, program, ...line.split(" ")];
  const harm = `-f -qqq --seccomp-bpf -o /dev/null -e trace=fsync,fdatasync -e inject=fsync,fdatasync:error=EIO:when=${failing?.nth}`;
  const [first = "", ...rest] =
    failing === undefined ? own : ["strace", ...harm.split(" "), "-P", failing.path, ...own];
  const env = { PATH: process.env["PATH"], ...compiled, ...environment };
  const child = spawn(first, rest, { env, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (part) => (stderr += String(part)));
  const [exit]: unknown[] = await once(child, "close");
  return { exit, stderr };
}
