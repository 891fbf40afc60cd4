import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inboxLayout } from "../../src/webhooks/inbox/inbox-layout.ts";
import { openInbox } from "../../src/webhooks/inbox/inbox-file.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { Inbox } from "../../src/webhooks/inbox/inbox.ts";
import { inboxContract } from "./inbox-contract.ts";

const openIn = (stateFolder: string, use: "read" | "write" = "write") =>
  openInbox(memoryHost(), { stateFolder, use, warn: () => undefined });

inboxContract("SQLite", () => {
  const folder = join(temporaryFolder(), "state");
  return () => openIn(folder);
});

test("a missing inbox is read as empty, and no file is made", async () => {
  const folder = join(temporaryFolder(), "state");
  const inbox = await openIn(folder, "read");
  expect(await inbox.find("A")).toBeUndefined();
  await inbox.close();
  expect(() => readFileSync(folder)).toThrow("ENOENT");
});

test("an inbox of 0.1.0 continues with its events, and removed events stay known", async () => {
  const folder = join(temporaryFolder(), "state");
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, "inbox.db");
  const before = new DatabaseSync(path);
  before.exec(
    `${inboxLayout.migrations[0]} PRAGMA application_id = ${inboxLayout.applicationId}; PRAGMA user_version = 1;
    INSERT INTO events VALUES (7, 'A', 'delivered', 1, NULL, '2026-03-31T12:00:00+03:00', x'7b7d', 1, NULL, NULL, 1, NULL, 3, 3)`,
  );
  before.close();
  chmodSync(path, 0o600);
  const inbox = await openIn(folder);
  expect(await inbox.find("A")).toMatchObject({ number: 7, state: "delivered" });
  const arrival = { receivedAt: 1, requestId: null, timestamp: "t", body: Buffer.from("{}"), dueAt: null };
  expect(await inbox.store({ ...arrival, id: "A" })).toBeUndefined();
  expect(await inbox.store({ ...arrival, id: "B" })).toBeGreaterThan(7);
  expect(await inbox.prune(2)).toBe(2);
  for (const id of ["A", "B"]) expect(await inbox.store({ ...arrival, id })).toBeUndefined();
  await inbox.close();
});

const strange: readonly (readonly [string, (path: string) => void, RegExp])[] = [
  [
    "no database",
    (path) => writeFileSync(path, "not a database, but a text that is long enough to be taken for one".repeat(20)),
    /is damaged: file is not a database/,
  ],
  ["a folder", (path) => mkdirSync(path), /is damaged: it is a folder/],
  ["a link", (path) => symlinkSync("/dev/null", path), /is damaged: it is a link/],
  [
    "somebody else's database",
    (path) => new DatabaseSync(path).exec("CREATE TABLE a (b)"),
    /is damaged: it isn't partner's inbox/,
  ],
  ["open to everybody", (path) => (writeFileSync(path, ""), chmodSync(path, 0o666)), /can be changed by every user/],
];

/** The files of a folder, with what each one is and its bytes. */
const contentOf = (folder: string) =>
  readdirSync(folder).map((name) => {
    const path = join(folder, name);
    const { mode } = lstatSync(path);
    return [name, mode, lstatSync(path).isFile() ? readFileSync(path, "hex") : ""];
  });

test.each(strange)("an inbox that is %s is refused with exit 3, and left as it is", async (_, make, message) => {
  const folder = temporaryFolder();
  make(join(folder, "inbox.db"));
  const before = contentOf(folder);
  for (const use of ["write", "read"] as const)
    await expect(openIn(folder, use)).rejects.toMatchObject({ exit: 3, message: expect.stringMatching(message) });
  expect(contentOf(folder)).toEqual(before);
});

test("an inbox with a flipped page is reported as damaged, with the way to go on", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "inbox.db");
  const inbox = await openIn(folder);
  for (let index = 0; index < 50; index += 1)
    await inbox.keepForged({
      receivedAt: index,
      requestId: null,
      timestamp: null,
      body: Buffer.alloc(500, index),
      problem: "x",
    });
  await inbox.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4096, 5000);
  writeFileSync(path, bytes);
  await expect(openIn(folder)).rejects.toMatchObject({
    message: expect.stringMatching(/^The inbox .* is damaged: /),
    hint: expect.stringContaining(`mv ${path} ${path}.old`),
  });
  expect(readFileSync(path)).toEqual(bytes);
});

test("an inbox restored next to the log of another time is reported as damaged, not listed without end", async () => {
  const [folder, restored] = [temporaryFolder(), temporaryFolder()];
  const received = { receivedAt: 1, requestId: null, timestamp: "2026-03-31T12:00:00Z", dueAt: null };
  const fill = async (inbox: Inbox, from: number, to: number) => {
    const ids = Array.from({ length: to - from }, (_, index) => `E${from + index}`);
    for (const id of ids) void inbox.store({ ...received, id, body: Buffer.alloc(1500, id) });
    await inbox.store({ ...received, id: ids[0] ?? "", body: Buffer.alloc(0) });
  };
  const grow = async (from: number, to: number) => {
    const inbox = await openIn(folder);
    await fill(inbox, from, to);
    await inbox.close();
  };
  await grow(0, 4000);
  copyFileSync(join(folder, "inbox.db"), join(restored, "inbox.db"));
  await grow(4000, 9000);
  const receiving = await openIn(folder);
  await fill(receiving, 9000, 9300);
  copyFileSync(join(folder, "inbox.db-wal"), join(restored, "inbox.db-wal"));
  await receiving.close();
  await expect(openIn(restored)).rejects.toMatchObject({ exit: 3, message: expect.stringContaining("is damaged: ") });
  const inbox = await openIn(restored, "read");
  const listed = async () => {
    let count = 0;
    for await (const { id } of inbox.list()) if ((count += 1) > 9300) return `the list goes on with ${id}`;
    return count;
  };
  const path = join(restored, "inbox.db");
  await expect(listed()).rejects.toMatchObject({
    exit: 3,
    message: `The inbox ${path} is damaged: its events are not in their order.`,
    hint: `It is left as it is. Move it away first, with its log if there is one: mv ${path} ${path}.old; mv ${path}-wal ${path}.old-wal. Then restore it from a backup, or begin a new one, which treats events that come again as new.`,
  });
  await inbox.close();
});

test("after one failed sync the disk is trusted no more: a second try would not show the loss", async () => {
  const host = memoryHost();
  const sqlite = await host.sqlite();
  const failure = Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
  let syncs = 0;
  const sync = () => ((syncs += 1) === 2 ? Promise.reject(failure) : Promise.resolve());
  const openLog = () => ({ sync, isEmpty: () => true, renew: () => undefined, close: () => undefined });
  const failing = { ...host, sqlite: () => Promise.resolve({ ...sqlite, openLog }) };
  const stateFolder = temporaryFolder();
  const inbox = await openInbox(failing, { stateFolder, use: "write", warn: () => undefined });
  const store = (id: string) =>
    inbox.store({
      id,
      receivedAt: 1,
      requestId: null,
      timestamp: "2026-03-31T12:00:00Z",
      body: Buffer.from(id),
      dueAt: null,
    });
  expect(await store("A")).toBe(1);
  await expect(store("B")).rejects.toMatchObject({ message: expect.stringContaining("the disk reports an error") });
  await expect(store("B")).rejects.toMatchObject({ exit: 3 });
  await inbox.close();
});
