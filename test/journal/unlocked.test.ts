import { cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test } from "vitest";
import type { Sqlite } from "../../src/host/databases/sqlite.ts";
import { nodeSqlite } from "../../src/host/databases/node-sqlite.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { fill } from "./crowded.ts";
import { size } from "./long.ts";
import type { Place } from "./orders.ts";
import { collect, openPlace, orderOf } from "./orders.ts";

// Reading all of a large journal never keeps another process from writing it.

const count = size(10_000, 200_000);
let full: Place;

beforeAll(async () => {
  full = placeIn(temporaryFolder());
  await fill(full, count);
}, 3_600_000);

function placeIn(folder: string): Place {
  return { stateFolder: join(folder, "state"), configFolder: join(folder, "config") };
}

/** A copy of the journal, for a test that changes it. */
/** Of the journal alone, as on a machine without marks. */
function copied(): Place {
  const place = placeIn(temporaryFolder());
  cpSync(full.stateFolder, place.stateFolder, { recursive: true });
  return place;
}

/** Another process's connection, which commits at once or not at all. */
function committing({ stateFolder }: Place) {
  const database = new DatabaseSync(join(stateFolder, "journal.db"), { timeout: 0 });
  const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
  const counts = { done: 0, refused: 0 };
  return {
    counts,
    commit() {
      try {
        database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${String(version)}; COMMIT`);
        counts.done += 1;
      } catch {
        if (database.isTransaction) database.exec("ROLLBACK");
        counts.refused += 1;
      }
    },
  };
}

/** SQLite with an event in the middle of each statement of that kind. */
function interrupted(kind: RegExp, act: () => void): Sqlite {
  const real = nodeSqlite();
  const watched = (database: DatabaseSync): DatabaseSync => {
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      if (!kind.test(sql)) return statement;
      const meanwhile = () => {
        // Every lock that this connection takes while it reads is held now.
        const rows = prepare("SELECT number FROM movements").iterate();
        rows.next();
        act();
        rows.return?.();
      };
      return new Proxy(statement, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== "function") return member;
          return (...parameters: readonly unknown[]): unknown => {
            meanwhile();
            return Reflect.apply(member, target, parameters);
          };
        },
      });
    };
    return database;
  };
  return {
    ...real,
    open: (path, use) => watched(real.open(path, use)),
    openUnlocked: (path) => watched(real.openUnlocked(path)),
  };
}

test.each([
  ["verified", /integrity_check/, (place: Place, host: ReturnType<typeof memoryHost>) => verified(place, host)],
  ["copied", /VACUUM INTO/, (place: Place, host: ReturnType<typeof memoryHost>) => backedUp(place, host)],
])("while a large journal is %s, others commit", async (_, kind, act) => {
  const place = copied();
  const other = committing(place);
  let times = 0;
  const sqlite = interrupted(kind, () => {
    times += 1;
    if (times === 1) other.commit();
  });
  await act(place, memoryHost({ host: { sqlite: () => Promise.resolve(sqlite) } }));
  expect(times).toBeGreaterThan(0);
  expect(other.counts).toEqual({ done: 1, refused: 0 });
});

async function verified(place: Place, host = memoryHost()): Promise<void> {
  const journal = await openPlace(place, { use: "read", host });
  expect(await journal.verify()).toEqual({ movements: count, events: 2 * count });
  await journal.close();
}

async function backedUp(place: Place, host: ReturnType<typeof memoryHost>): Promise<void> {
  const journal = await openPlace(place, { use: "read", host });
  const copy = placeIn(temporaryFolder());
  const path = join(copy.stateFolder, "journal.db");
  await host.files.makeFolder(copy.stateFolder, 0o700);
  await journal.backup(path);
  await journal.close();
  await verified(copy);
}

test("when others write all the time, each index is compared with its table instead", async () => {
  const place = copied();
  const other = committing(place);
  const torn = pretending("row 7 missing from index movements_opened", () => other.commit());
  await verified(place, memoryHost({ host: { sqlite: () => Promise.resolve(torn) } }));
  expect(other.counts.refused).toBe(0);
});

test.each([
  ["a row that an index lacks", "INSERT", "is missing in the index"],
  ["a row that an index has and its table lacks", "DELETE", "missing: number|has more than the rows"],
])("and %s is found all the same", async (_, harm, words) => {
  const place = copied();
  const index = "order_keys_like";
  damageIndex(place, index, harm);
  const other = committing(place);
  const torn = pretending("wrong # of entries in index", () => other.commit());
  const journal = await openPlace(place, { use: "read", host: memoryHost({ host: { sqlite: async () => torn } }) });
  await expect(journal.verify()).rejects.toMatchObject({ message: expect.stringMatching(words) });
  await journal.close();
});

test("damage is found when nothing else writes, and reported as it is", async () => {
  const place = copied();
  damageIndex(place, "order_keys_like", "INSERT");
  const journal = await openPlace(place, { use: "read" });
  await expect(journal.verify()).rejects.toMatchObject({ message: expect.stringContaining("order_keys_like") });
  await journal.close();
});

/** Changes rows behind an index: the file then looks as with a damaged page. */
function damageIndex({ stateFolder }: Place, index: string, harm: string): void {
  const database = new DatabaseSync(join(stateFolder, "journal.db"), { enableForeignKeyConstraints: false });
  database.enableDefensive(false);
  const [row] = database.prepare("SELECT * FROM sqlite_schema WHERE name = ?").all(index);
  database.exec("PRAGMA writable_schema = ON");
  database.prepare("DELETE FROM sqlite_schema WHERE name = ?").run(index);
  database.exec("PRAGMA writable_schema = RESET");
  const keys = database.prepare("SELECT * FROM order_keys ORDER BY movement DESC LIMIT 1").get() ?? {};
  const next = { ...keys, movement: Number(keys["movement"]) + 1 };
  if (harm === "INSERT")
    database
      .prepare(
        `INSERT INTO order_keys VALUES (${Object.keys(next)
          .map((name) => `:${name}`)
          .join(", ")})`,
      )
      .run(next);
  else database.exec("DELETE FROM order_keys WHERE movement = 7");
  database.exec("PRAGMA writable_schema = ON");
  database
    .prepare("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)")
    .run(...["type", "name", "tbl_name", "rootpage", "sql"].map((name) => row?.[name] ?? null));
  database.exec("PRAGMA writable_schema = RESET");
  database.close();
}

/** SQLite with this result for its pages, as when they change during the check; `act` runs meanwhile. */
function pretending(result: string, act: () => void): Sqlite {
  const real = nodeSqlite();
  return {
    ...real,
    openUnlocked(path) {
      const database = real.openUnlocked(path);
      const prepare = database.prepare.bind(database);
      database.prepare = (sql) => {
        act();
        return sql.includes("integrity_check") ? prepare(`SELECT '${result}'`) : prepare(sql);
      };
      return database;
    },
  };
}

test("a list finds a rare order among many, from either end, and one that is added meanwhile", async () => {
  const place = copied();
  const journal = await openPlace(place);
  const rare = orderOf({ reference: "rare", scope: "simulator http://127.0.0.1:8080 ACC-2" });
  await journal.open(rare);
  const found = (newestFirst: boolean) => collect(journal.list({ scope: rare.scope, newestFirst }));
  for (const newestFirst of [false, true]) expect(await found(newestFirst)).toMatchObject([{ reference: "rare" }]);
  const first = await collect(journal.list({ limit: 2 }));
  expect(first.map(({ reference }) => reference)).toEqual(["R-0", "R-1"]);
  const last = await collect(journal.list({ limit: 2, newestFirst: true }));
  expect(last.map(({ reference }) => reference)).toEqual(["rare", `R-${count - 1}`]);
  expect((await collect(journal.list({ states: ["prepared"] }))).map(({ reference }) => reference)).toEqual(["rare"]);
  await journal.close();
});
