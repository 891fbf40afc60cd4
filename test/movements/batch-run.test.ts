import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { column, openDesk, payouts, transfers } from "../commands/batch-service.ts";
import type { Files } from "../../src/host/files/files.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { openBooks } from "./books.ts";
import { startRun } from "./child.ts";
import { kinds } from "./kinds.ts";
import { accept, environmentAt } from "./service.ts";
import type { MoneyRequest } from "./teller.ts";
import { saying, teller } from "./teller.ts";
import { openTill } from "./till.ts";

const [transfer] = kinds;
const referenceOf = ({ body }: MoneyRequest) => transfer.referenceIn(body);

/** A file of so many transfers, and the line that sends it; `out.csv` is its report. */
function batchOf(count: number, more = "") {
  const desk = openDesk();
  const file = desk.write(transfers(count));
  const out = join(desk.folder, "out.csv");
  return {
    out,
    line: `batch run ${file} ${payouts} --yes --csv --report ${out}${more}`,
    report: () => readFileSync(out, "utf8"),
  };
}

test("Ctrl-C finishes the row in flight and leaves the rest; the next run continues", async () => {
  const person = new AbortController();
  const told = await teller({
    react(socket, request) {
      if (referenceOf(request) === "R-2") person.abort("SIGINT");
      accept(socket, request);
    },
  });
  const till = openTill(environmentAt(told.origin));
  const { line, report } = batchOf(4);
  const first = await till.run(line, { host: { signal: person.signal } });
  expect(first.exit).toBe(8);
  expect(first.stderr).toContain("waiting for the answer; again to give up");
  expect(first.stderr).toContain("Of 4 rows, 2 are not done. It was interrupted.");
  expect(column(first.stdout, "state")).toEqual(["accepted", "accepted", "unsent", "unsent"]);
  expect(report()).toBe(first.stdout);
  expect(await till.run(line)).toMatchObject({ exit: 0 });
  expect(told.requests.map(referenceOf)).toEqual(["R-1", "R-2", "R-3", "R-4"]);
});

test("after a kill in the middle, a batch's report is true, and the next run continues", async () => {
  const stalled = Promise.withResolvers<void>();
  const told = await teller({
    react: (socket, request) => (referenceOf(request) === "R-2" ? stalled.resolve() : accept(socket, request)),
  });
  const till = openTill(environmentAt(told.origin));
  const { line, report } = batchOf(3);
  const child = startRun(line, till);
  await stalled.promise;
  child.kill("SIGKILL");
  expect((await child.run).exit).toBe(137);
  // The file may be older than the journal, but it never claims more than was known when it was written.
  expect(["accepted", "unknown"]).toContain(column(report(), "state")[0]);
  expect(column(report(), "state").slice(1)).toEqual(["unknown", "unknown"]);
  const [kept = ""] = readdirSync(join(till.stateFolder, "batches"));
  const id = kept.slice(0, 16);
  const after = await till.run(`batch report ${id} --csv`);
  expect(column(after.stdout, "state")).toEqual(["accepted", "unknown", "unsent"]);
  expect((await till.run(`batch status ${id}`)).exit).toBe(6);
  told.react(accept);
  const next = await till.run(line);
  expect(next.exit).toBe(6);
  expect(column(next.stdout, "state")).toEqual(["accepted", "unknown", "accepted"]);
  expect(report()).toBe(next.stdout);
  expect(told.requests.map(referenceOf)).toEqual(["R-1", "R-2", "R-3"]);
});

test("the report is updated during the run, and unfinished rows are unknown in it", async () => {
  const told = await teller({ react: accept });
  const till = openTill(environmentAt(told.origin));
  const { line, report } = batchOf(3);
  const midway: string[] = [];
  const look = async () => {
    await expect.poll(() => column(report(), "state")[0]).toBe("accepted");
    midway.push(...column(report(), "state"));
  };
  told.react((socket, request) => {
    const isLast = referenceOf(request) === "R-3";
    void (isLast ? look() : Promise.resolve()).finally(() => accept(socket, request));
  });
  expect((await till.run(line)).exit).toBe(0);
  expect([midway[0], midway[2]]).toEqual(["accepted", "unknown"]);
  expect(column(report(), "state")).toEqual(["accepted", "accepted", "accepted"]);
});

test("processes that run the same file at the same time send each row once, and print the same result", async () => {
  const books = await openBooks();
  const till = openTill(books.environment);
  const { line } = batchOf(8, " --concurrency 3");
  const runs = await Promise.all(
    [startRun(line, till), startRun(line, till), startRun(line, till)].map((child) => child.run),
  );
  expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 0]);
  expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1);
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) expect(await books.moved(transfer, `R-${number}`)).toBe(1);
  expect(books.arrived()).toBe(8);
});

test("a row in flight in another process is looked up by itself, and takes that process's outcome", async () => {
  const [sending, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isSending = false;
  const told = await teller({
    react(socket, request) {
      const isFirst = referenceOf(request) === "R-1";
      isSending = !isFirst;
      if (!isFirst) sending.resolve();
      void (isFirst ? Promise.resolve() : asked.promise).then(() => accept(socket, request));
    },
    reads(socket, request) {
      if (isSending && request.path === "/wallet/statement") asked.resolve();
      saying("200 OK", "[]")(socket, request);
    },
  });
  const till = openTill(environmentAt(told.origin));
  const { line } = batchOf(2);
  const first = startRun(line, till);
  await sending.promise;
  const second = await till.run(line).finally(asked.resolve);
  expect([second.exit, column(second.stdout, "state")]).toEqual([0, ["accepted", "accepted"]]);
  expect((await first.run).exit).toBe(0);
  expect(told.requests.map(referenceOf)).toEqual(["R-1", "R-2"]);
});

test("credentials that are refused halfway stop the rest of a batch", async () => {
  const refused = saying("401 Unauthorized", '{"statusCode":401,"reason":"INVALID_CREDENTIALS","details":{}}');
  const told = await teller({
    react: (socket, request) => (referenceOf(request) === "R-2" ? refused(socket, request) : accept(socket, request)),
  });
  const till = openTill(environmentAt(told.origin));
  const { line } = batchOf(5);
  const run = await till.run(line);
  expect(run.exit).toBe(8);
  expect(column(run.stdout, "state")).toEqual(["accepted", "refused", "unsent", "unsent", "unsent"]);
  expect(run.stderr).toContain("partner profile check");
  expect(told.requests).toHaveLength(2);
  told.react(accept);
  expect((await till.run(line)).exit).toBe(0);
});

test("a batch stops after ten failed answers in a row", async () => {
  const told = await teller({ react: saying("500 Internal Server Error", "") });
  const till = openTill(environmentAt(told.origin));
  const run = await till.run(batchOf(30).line);
  expect(run.exit).toBe(6);
  expect(told.requests).toHaveLength(10);
  expect(column(run.stdout, "state").filter((state) => state === "unsent")).toHaveLength(20);
});

test("a file that changed after the check is not run", async () => {
  const told = await teller({ react: accept });
  const till = openTill(environmentAt(told.origin));
  const desk = openDesk();
  const file = desk.write(transfers(3));
  const change = () => {
    writeFileSync(
      file,
      transfers(3, () => 50),
    );
    return true;
  };
  const line = `batch run ${file} ${payouts}`;
  const run = await till.run(line, { terminal: { stdin: true, stderr: true }, answers: [change] });
  expect(run.exit).toBe(2);
  expect(run.stderr).toContain("is no longer what was checked; nothing was sent.");
  expect(told.requests).toEqual([]);
});

test("a report path that cannot be written is refused before anything is sent", async () => {
  const told = await teller({ react: accept });
  const till = openTill(environmentAt(told.origin));
  const desk = openDesk();
  const file = desk.write(transfers(3));
  const nowhere = await till.run(`batch run ${file} ${payouts} --yes --report ${desk.folder}/none/out.csv`);
  expect(nowhere).toMatchObject({ exit: 2, stderr: expect.stringContaining("--report") });
  const itself = await till.run(`batch run ${file} ${payouts} --yes --report ${file}`);
  expect(itself.exit).toBe(2);
  expect(told.requests).toEqual([]);
});

/** The machine's files, on a disk that is full from the n-th file with that ending on. */
function filling(ending: string, nth: number): Files {
  const files = nodeFiles();
  let count = 0;
  return {
    ...files,
    draft(path, mode) {
      if (path.endsWith(ending)) count += 1;
      if (!path.endsWith(ending) || count < nth) return files.draft(path, mode);
      return Promise.reject(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }));
    },
  };
}

test("a full disk when the report is written does not change the batch, and is reported", async () => {
  const told = await teller({ react: accept });
  const till = openTill(environmentAt(told.origin));
  const { line, report } = batchOf(2);
  const run = await till.run(line, { host: { files: filling("out.csv", 2) } });
  expect(run.exit).toBe(0);
  expect(run.stderr).toMatch(
    /^--report \S+ could not be written: the disk is full\. Write it again: partner batch report/m,
  );
  expect(column(report(), "state")).toEqual(["unknown", "unknown"]);
  expect((await till.run(line)).exit).toBe(0);
  expect(column(report(), "state")).toEqual(["accepted", "accepted"]);
  expect(told.requests).toHaveLength(2);
});

test("nothing is sent when the file cannot be stored", async () => {
  const told = await teller({ react: accept });
  const till = openTill(environmentAt(told.origin));
  for (const ending of [".csv", ".json"]) {
    const desk = openDesk();
    const file = desk.write(transfers(2));
    const run = await till.run(`batch run ${file} ${payouts} --yes`, { host: { files: filling(ending, 1) } });
    expect(run).toMatchObject({ exit: 3, stdout: "" });
    expect(run.stderr).toContain("could not be kept in");
  }
  expect(told.requests).toEqual([]);
});

test("a result that cannot be saved doesn't change the batch, and the message says how to see the rows", async ({
  skip,
}) => {
  if (!existsSync("/dev/full")) skip("needs /dev/full");
  const told = await teller({ react: accept });
  const till = openTill(environmentAt(told.origin));
  const desk = openDesk();
  const file = desk.write(transfers(2));
  const run = await till.run(`batch run ${file} ${payouts} --yes --csv --save /dev/full`);
  expect(run.exit).toBe(0);
  expect(run.stderr).toMatch(
    /could not be written: the disk is full\..* 2 accepted\. See the rows: partner batch report/,
  );
  expect(told.requests).toHaveLength(2);
});
