import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeSqlite } from "../../src/host/databases/node-sqlite.ts";
import { runProgram } from "../../src/host/process/program.ts";
import { temporaryFolder } from "../memory-host.ts";

test("a database is created only on request, and for its user alone", () => {
  const path = join(temporaryFolder(), "a b?#%.db");
  const sqlite = nodeSqlite();
  expect(() => sqlite.open(path, "existing")).toThrow(/unable to open/);
  expect(existsSync(path)).toBe(false);
  const database = sqlite.open(path, "create");
  database.exec("CREATE TABLE a (b)");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  database.close();
  const again = sqlite.open(path, "create");
  expect(again.prepare("SELECT count(*) AS n FROM a").get()).toEqual({ n: 0 });
  again.close();
});

test("Node's warning about SQLite is hidden, and other warnings are not", async () => {
  const door = join(import.meta.dirname, "../../src/host/databases/node-sqlite.ts");
  const script = `
    process.on("warning", ({ message }) => console.log(message));
    const { nodeSqlite } = await import(${JSON.stringify(door)});
    nodeSqlite().openInMemory().close();
    process.emitWarning("another one");`;
  const program = {
    command: process.execPath,
    args: ["--no-warnings=ExperimentalWarning", "--input-type=module", "-e", script],
    streams: "capture",
  } as const;
  const { stdout } = await runProgram(program, process.env);
  expect(Buffer.from(stdout).toString()).toBe("another one\n");
});
