import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { LockTimeout } from "../../src/host/files/node-lock.ts";
import { temporaryFolder } from "../memory-host.ts";

const files = nodeFiles();
const patient = { waitMs: 20_000, staleMs: 60_000 };
const module = JSON.stringify(join(import.meta.dirname, "../../src/host/files/node-files.ts"));

/** Counts up in a file, reading and writing separately: if two had the lock at once, counts would be lost. */
const counting = (folder: string, rounds: number) => `
  import { readFileSync, writeFileSync } from "node:fs";
  import { setImmediate } from "node:timers/promises";
  import { nodeFiles } from ${module};
  const [lock, counter] = ${JSON.stringify([join(folder, "lock"), join(folder, "counter")])};
  for (let round = 0; round < ${rounds}; round += 1) {
    const release = await nodeFiles().lock(lock, ${JSON.stringify(patient)});
    const count = Number(readFileSync(counter, "utf8"));
    await setImmediate();
    writeFileSync(counter, String(count + 1));
    await release();
  }`;

function runProgram(program: string) {
  return promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
}

test("of eight processes one at a time has the lock", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "counter"), "0");
  await Promise.all(Array.from({ length: 8 }, () => runProgram(counting(folder, 10))));
  expect(readFileSync(join(folder, "counter"), "utf8")).toBe("80");
  expect(readdirSync(folder)).toEqual(["counter"]);
});

test("the lock of a process that died is taken over, by one at a time", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "counter"), "0");
  const lock = join(folder, "lock");
  const dying = `
    import { nodeFiles } from ${module};
    await nodeFiles().lock(${JSON.stringify(lock)}, ${JSON.stringify(patient)});
    process.kill(process.pid, "SIGKILL");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", dying]);
  await once(child, "exit");
  expect(existsSync(lock)).toBe(true);
  await Promise.all(Array.from({ length: 4 }, () => runProgram(counting(folder, 5))));
  expect(readFileSync(join(folder, "counter"), "utf8")).toBe("20");
  expect(readdirSync(folder)).toEqual(["counter"]);
});

/** What a program does to itself before it takes a lock. */
const dyingAt = {
  "as soon as there is a file": `
    const { constructor } = await promises.open(process.execPath);
    constructor.prototype.writeFile = () => process.kill(process.pid, "SIGKILL");`,
  "before the file has its name": `promises.link = () => process.kill(process.pid, "SIGKILL");`,
};

test.for(Object.entries(dyingAt))("a process that dies %s does not block the others", async ([, preparation]) => {
  const folder = temporaryFolder();
  const lock = join(folder, "lock");
  const dying = `
    import { promises } from "node:fs";
    import { nodeFiles } from ${module};
    ${preparation}
    await nodeFiles().lock(${JSON.stringify(lock)}, ${JSON.stringify(patient)});`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", dying]);
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.partner-\d+-[0-9a-f]+\.tmp$/)]);
  const release = await files.lock(lock, { waitMs: 0, staleMs: 60_000 });
  await release();
  expect(existsSync(lock)).toBe(false);
});

test("without hard links, one process at a time has the lock, too", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "counter"), "0");
  const single = `
    import { promises } from "node:fs";
    promises.link = () => Promise.reject(Object.assign(new Error("no links"), { code: "EPERM" }));`;
  await Promise.all(Array.from({ length: 4 }, () => runProgram(single + counting(folder, 5))));
  expect(readFileSync(join(folder, "counter"), "utf8")).toBe("20");
  expect(readdirSync(folder)).toEqual(["counter"]);
});

test("within one process, one caller at a time has the lock, too", async () => {
  const path = join(temporaryFolder(), "lock");
  let holders = 0;
  let most = 0;
  const hold = async () => {
    const release = await files.lock(path, patient);
    holders += 1;
    most = Math.max(most, holders);
    await files.facts(path);
    holders -= 1;
    await release();
  };
  await Promise.all(Array.from({ length: 10 }, hold));
  expect(most).toBe(1);
});

test("a wait that times out says which process has the lock", async () => {
  const path = join(temporaryFolder(), "lock");
  const release = await files.lock(path, patient);
  const waiting = files.lock(path, { waitMs: 50, staleMs: 60_000 });
  await expect(waiting).rejects.toBeInstanceOf(LockTimeout);
  await expect(waiting).rejects.toThrow(`process ${process.pid}`);
  await release();
});

test("a lock of another machine is stale when it was untouched for long", async () => {
  const path = join(temporaryFolder(), "lock");
  writeFileSync(path, JSON.stringify({ pid: 1, host: "elsewhere", token: "x" }));
  await expect(files.lock(path, { waitMs: 0, staleMs: 60_000 })).rejects.toBeInstanceOf(LockTimeout);
  const longAgo = new Date(Date.now() - 61_000);
  utimesSync(path, longAgo, longAgo);
  const release = await files.lock(path, { waitMs: 1000, staleMs: 60_000 });
  await release();
  expect(existsSync(path)).toBe(false);
});

test("a lock without an owner counts as held until it is stale", async () => {
  const path = join(temporaryFolder(), "lock");
  writeFileSync(path, "");
  await expect(files.lock(path, { waitMs: 0, staleMs: 60_000 })).rejects.toBeInstanceOf(LockTimeout);
});

test("the wait for another process to take over an abandoned lock is no longer than asked", async () => {
  const path = join(temporaryFolder(), "lock");
  writeFileSync(path, "");
  const longAgo = new Date(Date.now() - 61_000);
  utimesSync(path, longAgo, longAgo);
  writeFileSync(`${path}.takeover`, "");
  await expect(files.lock(path, { waitMs: 0, staleMs: 60_000 })).rejects.toBeInstanceOf(LockTimeout);
});

test("a lock that never names its owner is not waited for: the message says what to remove", async () => {
  const path = join(temporaryFolder(), "lock");
  for (const content of ["", "somebody else's", '{"pid":"1","host":"elsewhere","token":"t"}']) {
    writeFileSync(path, content);
    const aWhileAgo = new Date(Date.now() - 3000);
    utimesSync(path, aWhileAgo, aWhileAgo);
    const waiting = files.lock(path, { waitMs: 3_600_000, staleMs: 3_600_000 });
    await expect(waiting).rejects.toThrow(`${path} does not say who has it`);
    expect(readFileSync(path, "utf8")).toBe(content);
  }
});

test("the wait for an abandoned lock that cannot be removed is no longer than asked", async () => {
  const lock = join(temporaryFolder(), "lock");
  mkdirSync(lock);
  utimesSync(lock, new Date(0), new Date(0));
  await expect(files.lock(lock, { waitMs: 1, staleMs: 60_000 })).rejects.toThrow(LockTimeout);
  expect(existsSync(lock)).toBe(true);
});

test("a holder keeps its lock for longer than the time to go stale", async () => {
  const path = join(temporaryFolder(), "lock");
  const release = await files.lock(path, { waitMs: 0, staleMs: 200 });
  await expect(files.lock(path, { waitMs: 800, staleMs: 200 })).rejects.toBeInstanceOf(LockTimeout);
  await release();
});

test("giving up a lock that was taken over leaves the new holder's lock", async () => {
  const path = join(temporaryFolder(), "lock");
  const release = await files.lock(path, patient);
  writeFileSync(path, JSON.stringify({ pid: 1, host: "elsewhere", token: "theirs" }));
  await release();
  expect(readFileSync(path, "utf8")).toContain("theirs");
});

test("a missing folder is an error at once", async () => {
  await expect(files.lock(join(temporaryFolder(), "no", "lock"), patient)).rejects.toMatchObject({ code: "ENOENT" });
});
