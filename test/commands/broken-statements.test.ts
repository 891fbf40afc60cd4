import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { afterRequest, serveSockets } from "../host/servers.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import type { Line } from "./month.ts";
import { bookFile, statementOf } from "./month.ts";
import { ask, environmentAt, ok } from "./served.ts";
import { program } from "../program.ts";

/** Enough that rows are used long before the last one arrives. */
const rows = 4000;

function movements(prefix: string, count = rows): Line[] {
  return Array.from({ length: count }, (_, index): Line => [`${prefix}${index}`, "2026-10-05", "+10.00"]);
}

/** An answer whose connection ends after three quarters of it. */
function cut(body: string): string {
  const whole = answer("200 OK", body);
  return whole.slice(0, Math.floor(whole.length * 0.75));
}

// The second answer begins with another row, as if newest rows came first and a new one had come meanwhile.
const before = statementOf(movements("OLD"));
const after = statementOf(movements("NEW", rows + 1));

const shown = [
  "wallet statement 42 --month 2026-10 --csv",
  "wallet statement 42 --month 2026-10 --csv --strict",
  "wallet statement 42 --month 2026-10 --csv --sort -balance",
  "wallet statement 42 --month 2026-10 --csv --columns tranRefNo,bank",
  "wallet statement 42 --month 2026-10 --output ndjson",
  "wallet statement 42 --month 2026-10 --json",
  "wallet statement 42 --month 2026-10 --output xero",
  "wallet statement 42 --month 2026-10",
];

test.each(shown)("%s: no row of an answer that breaks off is mixed into the next one", async (line) => {
  const alone = await ask(line, ok(after));
  const again = await ask(line, [cut(before), ok(after)]);
  expect(again.requests).toHaveLength(alone.requests.length + 1);
  expect(again).toMatchObject({ exit: alone.exit, stdout: alone.stdout });
  expect(again.stderr.split("\n").filter((said) => !said.includes("Trying again"))).toEqual(alone.stderr.split("\n"));
});

test.each(shown)("%s: nothing is printed when all answers break off", async (line) => {
  const { exit, stdout, stderr, requests } = await ask(line, cut(before));
  expect({ exit, stdout, requests: requests.length }).toEqual({ exit: 5, stdout: "", requests: 3 });
  expect(stderr).not.toContain("OLD");
});

test("the file of --save is unchanged when all answers break off, and no other file is left beside it", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "october.csv");
  writeFileSync(file, "september\n");
  const { exit } = await ask(`wallet statement 42 --month 2026-10 --csv --save ${file}`, cut(before));
  expect(exit).toBe(5);
  expect(readFileSync(file, "utf8")).toBe("september\n");
  expect(readdirSync(folder)).toEqual(["october.csv"]);
});

test("a file is written once after a broken first answer, with the rows of the second answer only", async () => {
  const [file, whole] = ["broken.csv", "whole.csv"].map((name) => join(temporaryFolder(), name));
  await ask(`wallet statement 42 --month 2026-10 --csv --save ${whole}`, ok(after));
  const files = nodeFiles();
  const written: string[] = [];
  const draft: typeof files.draft = async (path, mode) => {
    const begun = await files.draft(path, mode);
    return {
      write: (bytes) => begun.write(bytes),
      abandon: () => begun.abandon(),
      commit: async () => {
        await begun.commit();
        written.push(path);
      },
    };
  };
  const line = `wallet statement 42 --month 2026-10 --csv --save ${file}`;
  const { exit } = await ask(line, [cut(before), ok(after)], { host: { files: { ...files, draft } } });
  expect(exit).toBe(0);
  expect(written.filter((path) => path === file)).toHaveLength(1);
  expect(readFileSync(file ?? "", "utf8")).toBe(readFileSync(whole ?? "", "utf8"));
});

test("the program ends normally when its first answer broke off and the second was whole", async () => {
  const folder = temporaryFolder();
  // Just enough that reading pauses while the file is opened: then the end of the answer is seen at once.
  const broken = ok(before).slice(0, 300_000);
  const service = await recorder(broken, ok(after));
  onTestFinished(() => service.stop());
  const line = "wallet statement 42 --month 2026-10 --save october.csv --timeout 5m";
  const env = { ...environmentAt(service.origin), HOME: folder, PATH: "" };
  const child = spawn(process.execPath, [program, ...words(line)], { cwd: folder, env, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(service.requests).toHaveLength(2);
});

test.skipIf(process.platform === "win32")("a pipe gets one whole answer after a broken one", async () => {
  const pipe = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const line = "wallet statement 42 --month 2026-10 --csv";
  const { stdout } = await ask(line, ok(after));
  const [read, { exit }] = await Promise.all([
    readFile(pipe, "utf8"),
    ask(`${line} --save ${pipe}`, [cut(before), ok(after)]),
  ]);
  expect(exit).toBe(0);
  expect(read).toBe(stdout);
});

test.each(["--csv", "--json"])("a reconciliation %s counts only the rows of the whole answer", async (form) => {
  const book = `reference,amount,date\n${movements("NEW", rows)
    .map(([reference, day]) => `${reference},10.00,${day}\n`)
    .join("")}`;
  const line = `reconcile --account 42 --month 2026-10 --book ${bookFile(book)} ${form}`;
  const alone = await ask(line, ok(after));
  const again = await ask(line, [cut(before), ok(after)]);
  expect(again).toMatchObject({ exit: alone.exit, stdout: alone.stdout });
  expect(again.requests).toHaveLength(2);
});

function noSpool(): never {
  throw new Error("There is no place for a result.");
}

test("a run that fails before its first row closes the connection of an answer without an end", async () => {
  const closed = Promise.withResolvers<void>();
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => {
      socket.on("close", () => closed.resolve()).resume();
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[");
    }),
  );
  const { exit } = await run(words("wallet statement 42 --month 2026-10 --csv"), {
    environment: environmentAt(`http://127.0.0.1:${port}`),
    host: { files: { ...nodeFiles(), spool: noSpool } },
  });
  expect(exit).toBe(1);
  await closed.promise;
});
