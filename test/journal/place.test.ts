import {
  chmodSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { Failure } from "../../src/values/failure.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { Place } from "./orders.ts";
import { claimOf, collect, newPlace, openPlace, orderOf, sendOrder } from "./orders.ts";

const journalOf = (place: Place) => `${place.stateFolder}/journal.db`;
const memoryOf = (place: Place) => `${place.configFolder}/journals.json`;

/** A place with one accepted order. */
async function usedPlace(seed = 1): Promise<Place> {
  const place = newPlace();
  const journal = await openPlace(place, { host: memoryHost({ seed }) });
  await (await sendOrder(journal, "INV-1")).settle({ state: "accepted" });
  await journal.close();
  return place;
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error: unknown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (error instanceof Failure) return error;
  throw new Error("it did not fail as it should", { cause: error });
}

test("a journal and its marks can be read by their user alone", async () => {
  const place = await usedPlace();
  const modes = [place.stateFolder, journalOf(place), place.configFolder, memoryOf(place)].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o700, 0o600]);
});

test("a journal keeps its id and its orders from one run to the next", async () => {
  const place = newPlace();
  const first = await openPlace(place);
  const { movement } = claimOf(await first.open(orderOf()));
  await first.close();
  const second = await openPlace(place);
  expect(second.id).toBe(first.id);
  expect(await second.read(movement.id)).toEqual(movement);
  expect(second.warnings).toEqual([]);
  await second.close();
});

test("a command that only reads creates no journal, and reads one that exists", async () => {
  const place = newPlace();
  const reader = await openPlace(place, { use: "read" });
  expect(await collect(reader.list())).toEqual([]);
  expect(await nodeFiles().facts(place.stateFolder)).toBeUndefined();
  const used = await openPlace(await usedPlace(), { use: "read" });
  expect(await collect(used.list())).toHaveLength(1);
  await used.close();
});

const losses: readonly (readonly [string, RegExp, (place: Place) => void])[] = [
  ["missing", /is missing, though there was one/, (place) => rmSync(journalOf(place))],
  ["in no folder any more", /is missing, though/, (place) => rmSync(place.stateFolder, { recursive: true })],
  ["empty", /is empty, though there was one/, (place) => writeFileSync(journalOf(place), "")],
  ["no database", /is damaged: file is not a database/, (place) => writeFileSync(journalOf(place), "x".repeat(9000))],
  ["another program's", /it isn't partner's journal/, (place) => makeDatabase(place, "CREATE TABLE notes (text TEXT)")],
  ["a database without anything", /it isn't partner's journal/, (place) => makeDatabase(place, "VACUUM")],
  [
    "of a later version",
    /is newer than this partner: it was written by a later version/,
    (place) => changeDatabase(place, "PRAGMA user_version = 99"),
  ],
  ["a folder", /it is a folder/, (place) => replace(place, (path) => mkdirSync(path))],
  ["a link", /it is a link/, (place) => replace(place, (path) => symlinkSync(`${path}.elsewhere`, path))],
];

test.each(losses)("a journal that is %s is not replaced by a new one", async (_name, message, lose) => {
  const place = await usedPlace();
  lose(place);
  const before = await contentOf(journalOf(place));
  for (const use of ["write", "read"] as const) {
    const failure = await failureOf(openPlace(place, { use }));
    // An earlier order may have moved money under the same reference.
    const money = use === "write" ? "unknown" : "none";
    expect(failure).toMatchObject({ ending: "setup", money, message: expect.stringMatching(message) });
    expect(failure.hint).toBeTruthy();
  }
  expect(await contentOf(journalOf(place))).toEqual(before);
});

test("the message about a missing or damaged journal says how to recover it", async () => {
  const place = await usedPlace();
  rmSync(journalOf(place));
  const missing = await failureOf(openPlace(place));
  // There is nothing left to move away.
  expect(missing.hint).toMatch(/Put a backup in its place if there is one, then .*: partner journal recover$/);
  writeFileSync(journalOf(place), "x".repeat(9000));
  const damaged = await failureOf(openPlace(place));
  expect(damaged.hint).toMatch(/: mv .*journal\.db .*journal\.db\.old; partner journal recover$/);
});

test("another journal in its place is refused, and left as it is", async () => {
  const [place, other] = [await usedPlace(1), await usedPlace(2)];
  replace(place, () => renameSync(journalOf(other), journalOf(place)));
  const before = readFileSync(journalOf(place), "hex");
  for (const use of ["write", "read"] as const)
    expect((await failureOf(openPlace(place, { use }))).message).toMatch(/another journal lies in its place/);
  expect(readFileSync(journalOf(place), "hex")).toBe(before);
});

test("a journal whose id was forgotten is used, and its id is remembered again", async () => {
  const place = await usedPlace();
  rmSync(memoryOf(place));
  const journal = await openPlace(place);
  expect(await journal.find(orderOf())).toMatchObject({ state: "accepted" });
  expect(readFileSync(memoryOf(place), "utf8")).toContain(journal.id);
  await journal.close();
});

test.each(["{", "", "[]", "null", "{}", '{"version":2,"journals":5}', "\0\0\0"])(
  "a memory of the journal that reads %j stops the run instead of starting over, and is left as it is",
  async (text) => {
    const place = await usedPlace();
    writeFileSync(memoryOf(place), text);
    const before = readFileSync(journalOf(place), "hex");
    expect(await failureOf(openPlace(place))).toMatchObject({
      ending: "setup",
      message: expect.stringMatching(/cannot be read/),
    });
    expect(readFileSync(memoryOf(place), "utf8")).toBe(text);
    expect(readFileSync(journalOf(place), "hex")).toBe(before);
  },
);

test("a second journal opens with a warning, and refuses orders of the first one's account", async () => {
  const place = await usedPlace();
  const elsewhere = { ...place, stateFolder: `${temporaryFolder()}/state` };
  const second = await openPlace(elsewhere, { host: memoryHost({ seed: 2 }) });
  expect(second.warnings).toEqual([expect.stringContaining(journalOf(place))]);
  const order = orderOf({ scope: "simulator http://127.0.0.1:8080 ACC-2" });
  expect(await second.open(order)).toMatchObject({ outcome: "claimed" });
  expect((await failureOf(second.open(orderOf()))).message).toContain(`they are in ${journalOf(place)}.`);
  await second.close();
  rmSync(journalOf(place));
  expect((await failureOf(openPlace(place))).message).toMatch(/is missing/);
});

test.each([
  ["EROFS", /the disk is read-only/],
  ["EACCES", /permission denied/],
  ["ENOSPC", /the disk is full/],
])("when nothing can be written next to the profiles (%s), nothing is sent", async (code, reason) => {
  for (const part of ["draft", "append"] as const) {
    const failure = await failureOf(openPlace(newPlace(), { host: refusing(part, code) }));
    expect(failure).toMatchObject({ ending: "setup", money: "not moved", message: expect.stringMatching(reason) });
  }
});

test.skipIf(process.platform === "win32")(
  "a journal, memory or mark of it that every user may change is refused",
  async () => {
    const place = await usedPlace();
    chmodSync(journalOf(place), 0o666);
    expect((await failureOf(openPlace(place))).hint).toContain(`chmod 600 ${journalOf(place)}`);
    chmodSync(journalOf(place), 0o600);
    chmodSync(place.stateFolder, 0o777);
    expect((await failureOf(openPlace(place))).hint).toContain(`chmod 700 ${place.stateFolder}`);
    chmodSync(place.stateFolder, 0o700);
    // With another mark, an earlier copy of the journal would pass for the journal.
    const marks = globSync(`${place.configFolder}/marks/*`);
    expect(marks).toHaveLength(1);
    for (const file of [memoryOf(place), ...marks]) {
      chmodSync(file, 0o666);
      expect((await failureOf(openPlace(place))).hint).toContain(`chmod 600 ${file}`);
      chmodSync(file, 0o600);
    }
    await (await openPlace(place)).close();
  },
);

test("a folder may have blanks and signs in its name", async () => {
  const folder = `${temporaryFolder()}/a b#c?d%20'e`;
  const place = { stateFolder: `${folder}/state`, configFolder: `${folder}/config` };
  const journal = await openPlace(place);
  await journal.open(orderOf());
  await journal.close();
  writeFileSync(journalOf(place), "x".repeat(9000));
  expect((await failureOf(openPlace(place))).hint).toContain(String.raw`'\''e/state/journal.db'`);
});

test("a read-only journal can be read, and an order is refused before anything is sent", async () => {
  const place = await usedPlace();
  const sqlite = await memoryHost().sqlite();
  const readOnly = { ...sqlite, open: (path: string) => new DatabaseSync(path, { readOnly: true }) };
  const host = memoryHost({ host: { sqlite: () => Promise.resolve(readOnly) } });
  const journal = await openPlace(place, { host });
  expect(await collect(journal.list())).toHaveLength(1);
  const failure = await failureOf(journal.open(orderOf({ reference: "INV-2" })));
  expect(failure).toMatchObject({
    ending: "setup",
    exit: 3,
    money: "not moved",
    message: expect.stringMatching(/it is read-only/),
  });
  await journal.close();
});

test("an order is refused when its journal was moved while the run had it open", async () => {
  const place = await usedPlace();
  const journal = await openPlace(place);
  renameSync(journalOf(place), `${journalOf(place)}.old`);
  expect(await failureOf(journal.open(orderOf({ reference: "INV-2" })))).toMatchObject({
    exit: 3,
    money: "not moved",
    message: `The journal ${journalOf(place)} is no longer in its place: another program has removed, moved or replaced it.`,
    hint: "No money moves without a journal. Run this command again: it opens what is there now.",
  });
  await journal.close();
});

async function contentOf(path: string): Promise<string | undefined> {
  const facts = await nodeFiles().facts(path);
  return facts?.kind === "file" ? readFileSync(path, "hex") : facts?.kind;
}

function replace(place: Place, put: (path: string) => void): void {
  rmSync(journalOf(place));
  put(journalOf(place));
}

function makeDatabase(place: Place, sql: string): void {
  replace(place, () => changeDatabase(place, sql));
}

function changeDatabase(place: Place, sql: string): void {
  const database = new DatabaseSync(journalOf(place));
  database.exec(sql);
  database.close();
}

/** A host that cannot write files of its own in one of the ways. */
function refusing(part: "draft" | "append", code: string): ReturnType<typeof memoryHost> {
  const refuse = () => {
    throw Object.assign(new Error(code), { code });
  };
  const ways = { draft: async () => refuse(), append: refuse };
  return memoryHost({ host: { files: { ...nodeFiles(), [part]: ways[part] } } });
}
