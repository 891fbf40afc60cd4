import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileTooLarge } from "../../src/host/files/files.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { pipeDraft } from "../../src/host/files/pipe-draft.ts";
import { temporaryFolder } from "../memory-host.ts";
import { noSmallDisk, smallDisk } from "../small-disk.ts";

const files = nodeFiles();

test("a file is read whole", async () => {
  const path = join(temporaryFolder(), "a");
  writeFileSync(path, "hello");
  expect(Buffer.from(await files.read(path, 5)).toString()).toBe("hello");
});

test("a large file of exactly the limit is read whole", async () => {
  const path = join(temporaryFolder(), "a");
  const size = 2 ** 20 + 1;
  writeFileSync(path, "x".repeat(size));
  expect((await files.read(path, size)).length).toBe(size);
});

test("a file over the limit is refused", async () => {
  const path = join(temporaryFolder(), "a");
  writeFileSync(path, "hello!");
  await expect(files.read(path, 5)).rejects.toBeInstanceOf(FileTooLarge);
});

test("of several calls that make the same folder at the same moment, all succeed", async () => {
  for (let round = 0; round < 100; round += 1) {
    const path = join(temporaryFolder(), "config", "partner", "marks");
    await Promise.all(Array.from({ length: 4 }, () => files.makeFolder(path, 0o700)));
    expect(statSync(path).isDirectory()).toBe(true);
  }
});

test("a file that reports no size is read all the same", async () => {
  expect((await files.read("/proc/self/status", 100_000)).length).toBeGreaterThan(0);
});

test("a pipe is read to its end", async () => {
  const path = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  const writer = spawn("sh", ["-c", 'exec 3> "$0"; printf hel >&3; printf lo >&3', path]);
  const ended = once(writer, "close");
  expect(Buffer.from(await files.read(path, 100)).toString()).toBe("hello");
  await ended;
});

test("a large file is read in pieces that add up to the file", async () => {
  const path = join(temporaryFolder(), "large");
  const content = Buffer.alloc(1_000_000, "0123456789");
  writeFileSync(path, content);
  const parts: Uint8Array[] = [];
  for await (const part of files.chunks(path)) parts.push(part);
  expect(parts.length).toBeGreaterThan(1);
  expect(Buffer.concat(parts).equals(content)).toBe(true);
});

test("facts distinguish files, folders and links, and are undefined for a missing path", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "123", { mode: 0o640 });
  symlinkSync("file", join(folder, "link"));
  expect(await files.facts(join(folder, "file"))).toMatchObject({ kind: "file", mode: 0o640, sizeBytes: 3 });
  expect(await files.facts(folder)).toMatchObject({ kind: "folder", ownerId: process.getuid?.() });
  expect(await files.facts(join(folder, "link"))).toMatchObject({ kind: "link" });
  expect(await files.facts("/dev/null")).toMatchObject({ kind: "other" });
  expect(await files.facts(join(folder, "nothing"))).toBeUndefined();
  expect(await files.facts(join(folder, "file", "below"))).toBeUndefined();
});

test("folders are made with their parents, and existing folders are accepted", async () => {
  const path = join(temporaryFolder(), "a", "b");
  await files.makeFolder(path, 0o700);
  await files.makeFolder(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("a removed file is gone, and removing a missing file succeeds", async () => {
  const path = join(temporaryFolder(), "a");
  writeFileSync(path, "");
  await files.remove(path);
  await files.remove(path);
  expect(existsSync(path)).toBe(false);
});

test("a draft replaces the old file only on commit", async () => {
  const path = join(temporaryFolder(), "a.csv");
  writeFileSync(path, "old");
  const draft = await files.draft(path, 0o644);
  await draft.write("new ");
  await draft.write(Buffer.from("bytes"));
  expect(readFileSync(path, "utf8")).toBe("old");
  await draft.commit();
  expect(readFileSync(path, "utf8")).toBe("new bytes");
});

test("an abandoned draft leaves the old file and nothing else", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.csv"), "old");
  const draft = await files.draft(join(folder, "a.csv"), 0o644);
  await draft.write("x".repeat(200_000));
  await draft.abandon();
  await draft.abandon();
  expect(readdirSync(folder)).toEqual(["a.csv"]);
  expect(readFileSync(join(folder, "a.csv"), "utf8")).toBe("old");
  await expect(draft.write("late")).rejects.toThrow(/abandoned/);
  await expect(draft.commit()).rejects.toThrow(/abandoned/);
});

test("abandoning after the commit changes nothing", async () => {
  const path = join(temporaryFolder(), "a");
  const draft = await files.draft(path, 0o600);
  await draft.write("new");
  await draft.commit();
  await draft.abandon();
  expect(readFileSync(path, "utf8")).toBe("new");
});

test("writes keep their order whatever their sizes are", async () => {
  const path = join(temporaryFolder(), "a");
  const pieces = [10, 70_000, 5, 65_536, 1, 200_000, 30_000, 40_000, 3].map((size, index) => `${index}`.repeat(size));
  const draft = await files.draft(path, 0o600);
  for (const [index, piece] of pieces.entries()) await draft.write(index % 2 === 0 ? piece : Buffer.from(piece));
  await draft.commit();
  expect(readFileSync(path, "utf8") === pieces.join("")).toBe(true);
});

test("a secret file is private under any umask", async () => {
  const path = join(temporaryFolder(), "credentials.json");
  writeFileSync(path, "old", { mode: 0o644 });
  chmodSync(path, 0o666);
  const program = `
    import { nodeFiles } from ${JSON.stringify(join(import.meta.dirname, "../../src/host/files/node-files.ts"))};
    process.umask(0);
    const draft = await nodeFiles().draft(${JSON.stringify(path)}, 0o600);
    await draft.write("new");
    await draft.commit();`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", program]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a link stays a link, and its target is replaced", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "reports"));
  symlinkSync("reports/march.csv", join(folder, "latest.csv"));
  writeFileSync(join(folder, "reports", "march.csv"), "old");
  const draft = await files.draft(join(folder, "latest.csv"), 0o644);
  await draft.write("new");
  await draft.commit();
  expect(await files.facts(join(folder, "latest.csv"))).toMatchObject({ kind: "link" });
  expect(readFileSync(join(folder, "reports", "march.csv"), "utf8")).toBe("new");
});

test("a device is written to and not replaced", async () => {
  const draft = await files.draft("/dev/null", 0o644);
  await draft.write("into the void");
  await draft.commit();
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});

test.skipIf(process.platform === "win32")("a pipe takes more than its buffer while its reader reads", async () => {
  const pipe = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const reading = readFile(pipe, "utf8");
  const draft = await files.draft(pipe, "kept");
  for (let part = 0; part < 10; part += 1) await draft.write(`${part}`.repeat(100_000));
  await draft.commit();
  await draft.abandon();
  expect((await reading) === Array.from({ length: 10 }, (_, part) => `${part}`.repeat(100_000)).join("")).toBe(true);
});

test.skipIf(process.platform === "win32")(
  "a pipe without a reader is an error, and so is one whose reader has left",
  async () => {
    const pipe = join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const { signal } = new AbortController();
    await expect(pipeDraft(pipe, signal, 1)).rejects.toMatchObject({ code: "ENXIO" });
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const draft = await pipeDraft(pipe, signal, 1);
    closeSync(reader);
    await draft.write("x");
    await expect(draft.commit()).rejects.toMatchObject({ code: "EPIPE" });
  },
);

test("a draft in place of a folder is refused at once", async () => {
  await expect(files.draft(temporaryFolder(), 0o644)).rejects.toMatchObject({ code: "EISDIR" });
});

test("a draft in a missing folder is refused at once", async () => {
  await expect(files.draft(join(temporaryFolder(), "no", "a"), 0o644)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a process that exits early leaves no draft behind", () => {
  const folder = temporaryFolder();
  const program = `
    import { nodeFiles } from ${JSON.stringify(join(import.meta.dirname, "../../src/host/files/node-files.ts"))};
    const draft = await nodeFiles().draft(${JSON.stringify(join(folder, "a"))}, 0o600);
    await draft.write("x".repeat(200_000));
    process.exit(0);`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", program]);
  expect(readdirSync(folder)).toEqual([]);
});

test("a full disk leaves only the old file", async ({ skip }) => {
  const { folder } = smallDisk(64) ?? skip(noSmallDisk);
  const path = join(folder, "a.csv");
  writeFileSync(path, "old");
  const draft = await files.draft(path, 0o644);
  const filling = async () => {
    for (let lines = 0; lines < 100_000; lines += 1) await draft.write("a line of a statement\n");
    await draft.commit();
  };
  await expect(filling()).rejects.toMatchObject({ code: "ENOSPC" });
  await draft.abandon();
  expect(readdirSync(folder)).toEqual(["a.csv"]);
  expect(readFileSync(path, "utf8")).toBe("old");
});

test("a folder is made with its parents, and the error says so when it cannot be made", async () => {
  const path = join(temporaryFolder(), "a", "b", "c");
  await files.makeFolder(path, 0o700);
  await files.makeFolder(path, 0o700);
  expect(await files.facts(path)).toMatchObject({ kind: "folder", mode: 0o700 });
  await expect(files.makeFolder("/dev/null/a/b", 0o700)).rejects.toMatchObject({ code: "ENOTDIR" });
});

test.skipIf(process.platform !== "linux")(
  "a place that takes no folders does not cause an endless search",
  async () => {
    await expect(files.makeFolder("/proc/nowhere/partner", 0o700)).rejects.toMatchObject({ code: "ENOENT" });
  },
);

test("a later run removes the draft of a killed process, but not one that is still being written", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "a.csv");
  const module = JSON.stringify(join(import.meta.dirname, "../../src/host/files/node-files.ts"));
  const dying = `
    import { nodeFiles } from ${module};
    await (await nodeFiles().draft(${JSON.stringify(path)}, 0o600)).write("half");
    process.kill(process.pid, "SIGKILL");`;
  const anHourAgo = new Date(Date.now() - 3_601_000);
  const leave = async () => {
    const before = new Set(readdirSync(folder));
    await once(spawn(process.execPath, ["--input-type=module", "--eval", dying]), "exit");
    const left = readdirSync(folder).filter((name) => !before.has(name));
    expect(left).toEqual([expect.stringMatching(/^\.partner-\d+-[0-9a-f]+\.tmp$/)]);
    return join(folder, left[0] ?? "");
  };
  const [old, young] = [await leave(), await leave()];
  utimesSync(old, anHourAgo, anHourAgo);
  // The process with this id is running, but the id says nothing about who wrote the others.
  const others = [`.partner-${process.ppid}-00ff.tmp`, ".partner-notes.tmp", ".partner-1.tmp"];
  for (const name of others) {
    writeFileSync(join(folder, name), "");
    utimesSync(join(folder, name), anHourAgo, anHourAgo);
  }
  const draft = await files.draft(path, 0o600);
  await draft.commit();
  expect(existsSync(old)).toBe(false);
  expect(existsSync(young)).toBe(true);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(others));
});
