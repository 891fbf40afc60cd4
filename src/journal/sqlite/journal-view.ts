import type { DatabaseSync } from "node:sqlite";
import type { Host } from "../../host/host.ts";
import type { Database } from "../../storage/sqlite/database.ts";
import { DamageError } from "../../storage/failures.ts";
import type { Look, JournalView } from "../age/judgement.ts";
import type { Adopt, FormerlyKnown, KnownJournal } from "../age/known-journals.ts";
import { placedAtNoted } from "../service-time.ts";
import { SqliteLookups } from "./lookups.ts";
import type { JournalEnd } from "../age/marks.ts";
import { isShared } from "../age/registration-words.ts";

/** How long to wait for a journal that others keep busy, where it is only looked at. */
const lookTimeoutMs = 2_000;

/** A journal in SQLite, as far as it shows itself. */
export function journalViewOf(id: string, place: string, database: Database): JournalView {
  const lookups = new SqliteLookups(database);
  return {
    id,
    place,
    look: async (number) =>
      database.attempt(() => ({
        end: endOf(database),
        placedAt: placedAtOf(database),
        seen: lookups.seenCount(),
        server: undefined,
        seal: sealAt(database, number),
        accounts: lookups.accounts(),
        isPartial: false,
      })),
  };
}

/** Where history ends. */
export function endOf(database: Database): JournalEnd {
  const { number, at, seal } = Object(database.get("SELECT number, at, seal FROM events ORDER BY number DESC LIMIT 1"));
  if (number === undefined) return { number: 0, at: 0, seal: "" };
  if (typeof number === "number" && typeof at === "number" && typeof seal === "string") return { number, at, seal };
  throw new DamageError("its rows are not numbered");
}

/** When the newest order was placed; undefined where there is none. */
function placedAtOf(database: Database): number | undefined {
  const { at, note } = Object(
    database.get(`SELECT at, note FROM events
      WHERE movement = (SELECT max(number) FROM movements) AND step = 'claim' ORDER BY number DESC LIMIT 1`),
  );
  return typeof at === "number" ? placedAtNoted({ at, note: typeof note === "string" ? note : null }) : undefined;
}

/** The seal of an event; undefined where no event has that number. */
export function sealAt(database: Database, number: number): string | undefined {
  const { seal } = Object(database.get("SELECT seal FROM events WHERE number = :number", { number }));
  return typeof seal === "string" ? seal : undefined;
}

/** Reads what is at the place of another journal, without changing it. */
export function lookIn(host: Host): Look {
  return async (place) => {
    const found = await inspect(host, place);
    return typeof found === "string" ? found : { id: found.id };
  };
}

/** What version 1 knew: the id and the place of each journal. The accounts are read from the journal itself. */
export function adoptIn(host: Host): Adopt {
  return async (former) => {
    const ids = [...new Set(former.map(({ id }) => id))];
    return Promise.all(ids.map((id) => adopt(host, id, former)));
  };
}

/** Finds where a journal is now; version 1 kept its former places, too. */
async function adopt(host: Host, id: string, former: readonly FormerlyKnown[]): Promise<KnownJournal> {
  const places = former.flatMap((known) => (known.id === id ? [known.path] : []));
  const looks = await Promise.all(places.map(async (place) => ({ place, found: await inspect(host, place) })));
  const here = looks.findLast(({ found }) => typeof found !== "string" && found.id === id);
  return {
    id,
    place: here?.place ?? places.at(-1) ?? "",
    isMarked: false,
    machine: null,
    accounts: here === undefined || typeof here.found === "string" ? null : here.found.accounts,
    unread: [],
    unreadFrom: null,
    since: null,
    movedAt: null,
    recoveredAt: null,
  };
}

type Inspected = { readonly id: string; readonly accounts: string[] } | "missing" | "unreadable";

async function inspect(host: Host, place: string): Promise<Inspected> {
  try {
    if (isShared(place) || (await host.files.facts(place)) === undefined) return "missing";
    const sqlite = await host.sqlite();
    const database = sqlite.open(place, "existing");
    try {
      return read(database);
    } finally {
      database.close();
    }
  } catch {
    return "unreadable";
  }
}

function read(database: DatabaseSync): Inspected {
  database.exec(`PRAGMA busy_timeout = ${lookTimeoutMs}; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF`);
  const { id } = database.prepare("SELECT id FROM journal").get() ?? {};
  const scopes = database.prepare("SELECT DISTINCT scope FROM movements").all();
  if (typeof id !== "string") return "unreadable";
  return { id, accounts: scopes.map(({ scope }) => String(scope)) };
}
