import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Movement } from "../../src/journal/movement.ts";
import type { Machine } from "../../src/host/host.ts";
import { nodeSqlite } from "../../src/host/databases/node-sqlite.ts";
import type { Sqlite } from "../../src/host/databases/sqlite.ts";
import type { ProcessFate } from "../../src/host/process/process-mark.ts";
import { processFate } from "../../src/host/process/process-mark.ts";
import { withSlips } from "../../src/journal/slips/slip-journal.ts";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import type { World } from "../memory-host.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { run, words } from "../partner.ts";

/** The place where a person works: folders that outlive a run, with one journal. */
export interface Till {
  /** Of all runs; can be changed between them. */
  readonly environment: Record<string, string>;
  /** Added to every command line; can be changed, too. */
  flags: string;
  readonly stateFolder: string;
  run(line: string, world?: World): Promise<Run>;
  /** The journal's content, read as by a run of its own; throws if the journal is damaged. */
  movements(): Promise<Movement[]>;
}

const running = new Set<string>();
let started = 0;

/** What makes runs within this process separate processes: other random ids, other marks, and an end. */
export function startProcess(): { readonly machine: Partial<Machine>; readonly seed: number; end(): void } {
  started += 1;
  const own = `run ${started}`;
  running.add(own);
  return {
    machine: { processMark: () => own, processFate: fateOf },
    seed: started,
    end: () => void running.delete(own),
  };
}

function fateOf(mark: string): ProcessFate {
  if (running.has(mark)) return "running";
  return mark.startsWith("run ") ? "ended" : processFate(mark);
}

export function openTill(environment: Readonly<Record<string, string>>, folder = temporaryFolder()): Till {
  const stateFolder = join(folder, "state");
  const whole: Record<string, string> = { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: stateFolder, ...environment };
  const till: Till = {
    environment: whole,
    flags: "",
    stateFolder,
    async run(line, world = {}) {
      const process = startProcess();
      const { machine, seed } = process;
      const environment = { ...whole, ...world.environment };
      try {
        return await run(words(`${line} ${till.flags}`), { seed, machine, ...world, environment });
      } finally {
        process.end();
      }
    },
    movements: () => readMovements(folder, stateFolder),
  };
  return till;
}

async function readMovements(configFolder: string, stateFolder: string): Promise<Movement[]> {
  const place = { stateFolder, configFolder, version: "test", use: "read", warn: () => undefined } as const;
  const host = memoryHost({ machine: { processFate: fateOf } });
  const journal = await withSlips(await openJournal(host, place), { host, folder: stateFolder, ...place });
  try {
    await journal.verify();
    return await listOf(journal.list());
  } finally {
    await journal.close();
  }
}

/** For a test that unlocks before anything was locked. */
export function notLocked(): void {
  throw new Error("Nothing was sent");
}

/**
 * Locks that are held. Without a reference Node closes the database, and its lock would be gone in the middle of a
 * test.
 */
const locks = new Set<DatabaseSync>();

/** Locks the journal for others, as a backup program may do. */
export function lock(
  { stateFolder }: Pick<Till, "stateFolder">,
  from: "everybody" | "writers" = "everybody",
): () => void {
  const database = new DatabaseSync(join(stateFolder, "journal.db"));
  database.exec(from === "everybody" ? "BEGIN EXCLUSIVE" : "BEGIN IMMEDIATE");
  locks.add(database);
  return () => {
    locks.delete(database);
    database.close();
  };
}

/**
 * Node's own SQLite with 1 ms between two looks at a lock, not 25: just as many looks, and no time lost, when the
 * lock is held until the run ends.
 */
export function hastySqlite(): Sqlite {
  const sqlite = nodeSqlite();
  return {
    ...sqlite,
    open(path, use) {
      const database = sqlite.open(path, use);
      const execute = database.exec.bind(database);
      return Object.assign(database, {
        exec: (sql: string) => execute(sql.replace(/busy_timeout = \d+/, "busy_timeout = 1")),
      });
    },
  };
}

export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
