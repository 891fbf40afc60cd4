import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { nodeSqlite } from "../../src/host/databases/node-sqlite.ts";
import type { Sqlite } from "../../src/host/databases/sqlite.ts";
import { Prng } from "../../src/simulator/prng.ts";
import { Day } from "../../src/values/time/day.ts";
import { start } from "../host/servers.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { run, words } from "../partner.ts";

// Half a year of a wallet, played from a seed: rows appear, appear late, change and vanish; the service dies in the
// middle of an answer, and the process in the middle of a transaction.

const account = "9000112233";
const days = 180;
/** Between two syncs. */
const [pauseMin, pauseMax] = [6, 20];
/** A row may change its words up to so many days later: a sync reads the last three days again. */
const rereadDays = 3;
const amountMax = 9_999_999;

interface Row {
  readonly reference: string;
  readonly day: string;
  /** In smallest units; a debit is negative. */
  readonly units: number;
  readonly narration: string;
  /** True: its balance counts, but statements do not show it yet. */
  readonly isHidden: boolean;
}

/** What a sync has to distinguish from its earlier rows. */
export interface Expected {
  readonly kind: "late" | "changed" | "vanished";
  readonly reference: string;
}

/** The events of the year. */
export interface Played {
  readonly isEqual: boolean;
  /** Of each status: what it reported, and the truth. */
  readonly states: readonly { readonly said: string; readonly is: string; readonly day: string }[];
  readonly changes: readonly Expected[];
  readonly expected: readonly Expected[];
  /** True after a failed sync: the rows that it had stored are compared again. */
  readonly hasFailed: boolean;
}

/** Plays the half year of a seed through the front door. */
export async function playHalfYear(seed: number): Promise<Played> {
  const year = new HalfYear(seed);
  try {
    return await year.play();
  } finally {
    year.forget();
  }
}

/** What is wrong. */
export function wrongIn({ isEqual, states, changes, expected, hasFailed }: Played): readonly string[] {
  const [noted, wanted] = [changes, expected].map(listed);
  return [
    ...(isEqual ? [] : ["the ledger is not what the service gives"]),
    ...states
      .filter(({ said, is }) => is !== "any" && (said === "proved") !== (is === "proved"))
      .map(({ said, is, day }) => `${day}: it says ${said}, and is ${is}`),
    // Rows stored by an interrupted sync may have changed again before the next one.
    ...(hasFailed || noted === wanted ? [] : [`changes: ${noted}; not ${wanted}`]),
  ];
}

function listed(list: readonly Expected[]): string {
  return list
    .map(({ kind, reference }) => `${kind} ${reference}`)
    .toSorted()
    .join(", ");
}

class HalfYear {
  readonly #chance: Prng;
  readonly #folder = temporaryFolder();
  #rows: Row[] = [];
  #known = new Map<string, Row>();
  #references = 0;
  #today = Day.parse("2026-01-05") ?? fail();
  #readOn: Day | undefined;
  /** The day of the last row that any sync received, also a failed one: it may have stored its rows. */
  #lastShown = "";
  /** Which of the next requests dies. */
  #diesAt = 0;

  constructor(seed: number) {
    this.#chance = new Prng(seed);
  }

  async play(): Promise<Played> {
    const port = await start(createServer((request, response) => this.#serve(request, response)));
    const environment = {
      PARTNER_BASE_URL: `http://127.0.0.1:${port}`,
      PARTNER_ENVIRONMENT: "sandbox",
      PARTNER_ACCOUNT_ID: "a",
      PARTNER_SECRET_KEY: "secret-key",
      PARTNER_STATE_DIR: join(this.#folder, "state"),
    };
    const partner = (line: string, sqlite?: Sqlite) =>
      run(words(`${line} --retries 0`), {
        environment,
        now: Date.parse(`${this.#today.toString()}T09:00:00Z`),
        ...(sqlite === undefined ? {} : { host: { sqlite: () => Promise.resolve(sqlite) } }),
      });
    const first = this.#today.toString();
    const end = this.#today.addDays(days);
    const states: Played["states"][number][] = [];
    const expected: Expected[] = [];
    let hasFailed = false;
    this.#happen();
    this.#offer();
    await partner(`ledger sync --start-date ${first}`);
    this.#see();
    for (; this.#today.compare(end) < 0;) {
      this.#today = this.#today.addDays(this.#chance.integer(pauseMin, pauseMax));
      this.#happen();
      const fate = this.#chance.integer(1, 6);
      if (fate === 1) this.#diesAt = this.#chance.integer(1, 3);
      this.#offer();
      const synced: Run = await partner("ledger sync", fate === 2 ? mortal(this.#chance.integer(1, 12)) : undefined);
      this.#diesAt = 0;
      if (synced.exit === 0) {
        expected.push(...this.#changes());
        this.#see();
      } else hasFailed = true;
      const status = await partner("ledger status --json");
      const [{ state = "" } = {}] = JSON.parse(status.stdout || "[]");
      states.push({ said: String(state), is: synced.exit === 0 ? this.#state() : "any", day: this.#today.toString() });
    }
    await partner("ledger sync");
    expected.push(...this.#changes());
    const period = `${account} --start-date ${first} --end-date ${this.#today.toString()} --output ndjson --quiet`;
    const [served, kept] = [await partner(`wallet statement ${period}`), await partner(`ledger statement ${period}`)];
    const changes = await partner(`ledger sql "SELECT kind, reference FROM changes" --json`);
    return {
      isEqual: served.stdout === kept.stdout && kept.exit === 0,
      states,
      changes: JSON.parse(changes.stdout),
      expected,
      hasFailed,
    };
  }

  /** Removes its files. */
  forget(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What happens at the service between two syncs. */
  #happen(): void {
    for (let count = this.#chance.integer(0, 8); count > 0; count -= 1) this.#add(this.#newDay());
    if (this.#rows.length === 0) return;
    const what = this.#chance.integer(1, 8);
    const index = this.#chance.integer(0, this.#rows.length - 1);
    const row = this.#rows[index];
    if (row === undefined) return;
    if (what === 1) this.#add(row.day, index);
    // When a hidden row vanishes or changes, the next one seems to have changed: no statement can show the
    // difference.
    if (what === 2 && !row.isHidden) this.#rows.splice(index, 1);
    if (what === 3) {
      const units = row.units + this.#chance.integer(1, 99);
      if (!row.isHidden) this.#rows[index] = { ...row, units };
    }
    if (what === 4 && this.#isReread(row)) this.#rows[index] = { ...row, narration: "another" };
    if (what === 5) this.#add(this.#newDay(), this.#rows.length, true);
    if (what >= 6) this.#rows = this.#rows.map((each) => ({ ...each, isHidden: false }));
    this.#showOpening();
  }

  /** Money moved by a row before the first one looks like the account's earlier balance. */
  #showOpening(): void {
    const first = this.#rows.findIndex(({ isHidden }) => !isHidden);
    this.#rows = this.#rows.map((row, index) => (index < first ? { ...row, isHidden: false } : row));
  }

  #isReread({ day }: Row): boolean {
    const last = Day.parse(this.#lastShown) ?? this.#today;
    return day >= last.addDays(-rereadDays).toString();
  }

  /** A day since the last row. */
  #newDay(): string {
    const last = this.#rows.at(-1)?.day;
    const from = last === undefined ? this.#today : (Day.parse(last) ?? fail());
    return from.addDays(this.#chance.integer(0, Math.max(0, from.daysUntil(this.#today)))).toString();
  }

  #add(day: string, index = this.#rows.length, isHidden = false): void {
    const units = this.#chance.integer(-amountMax, amountMax);
    const reference = `R${(this.#references += 1)}`;
    this.#rows.splice(index, 0, { reference, day, units, narration: "rent", isHidden });
  }

  #offer(): void {
    for (const { day } of this.#shown()) if (day > this.#lastShown) this.#lastShown = day;
  }

  #see(): void {
    this.#known = new Map(this.#shown().map((row) => [row.reference, row]));
    this.#readOn = this.#today;
  }

  #shown(): readonly Row[] {
    return this.#rows.filter(({ isHidden }) => !isHidden);
  }

  /** The differences between the shown rows and those of the last sync, for days that it had read. */
  #changes(): Expected[] {
    const shown = this.#shown();
    const names = new Set(shown.map(({ reference }) => reference));
    const last = shown.findLastIndex(({ reference }) => this.#known.has(reference));
    const readOn = this.#readOn?.toString() ?? "";
    const gone = [...this.#known.values()].filter(({ reference }) => !names.has(reference));
    return [
      ...gone.map(({ reference }) => ({ kind: "vanished" as const, reference })),
      ...shown.flatMap((row, index): Expected[] => {
        const known = this.#known.get(row.reference);
        if (known === undefined)
          return index < last || row.day < readOn ? [{ kind: "late", reference: row.reference }] : [];
        const isSame = known.units === row.units && known.narration === row.narration;
        return isSame ? [] : [{ kind: "changed", reference: row.reference }];
      }),
    ];
  }

  /** Proved exactly when every row between the first and the last of the statement is shown, and the last one is. */
  #state(): string {
    return this.#isWhole() ? "proved" : "broken";
  }

  #isWhole(): boolean {
    const first = this.#rows.findIndex(({ isHidden }) => !isHidden);
    if (first < 0) return this.#rows.reduce((sum, { units }) => sum + units, 0) === 0;
    return this.#rows.slice(first).every(({ isHidden }) => !isHidden);
  }

  #serve(request: Parameters<Parameters<typeof createServer>[1] & object>[0], response: ServerResponse): void {
    let body = "";
    request.on("data", (bytes) => (body += String(bytes)));
    request.on("end", () => {
      const isDying = this.#diesAt > 0 && --this.#diesAt === 0;
      const balance = amountOf(this.#rows.reduce((sum, { units }) => sum + units, 0));
      response.setHeader("content-type", "application/json");
      if (request.url === "/wallet")
        return end(`[{"accountNo":"${account}","accountName":"W","balance":${balance},"currency":"TZS"}]`);
      if (request.url === "/wallet/balance")
        return end(`{"availableBalance":${balance},"accountNo":"${account}","currencyCode":"TZS"}`);
      const [, from = "", to = ""] = /"startDate":"([\d-]+)","endDate":"([\d-]+)"/.exec(body) ?? [];
      return end(this.#statement(from, to));

      function end(text: string): void {
        if (!isDying) return void response.end(text);
        response.write(text.slice(0, text.length / 2));
        setImmediate(() => response.destroy());
      }
    });
  }

  #statement(from: string, to: string): string {
    let balance = 0;
    const texts: string[] = [];
    for (const { reference, day, units, narration, isHidden } of this.#rows) {
      balance += units;
      if (isHidden || day < from || day > to) continue;
      const [credit, debit] = [amountOf(Math.max(units, 0)), amountOf(Math.max(-units, 0))];
      texts.push(
        `{"tranRefNo":"${reference}","valueDate":"${day} 10:00:00","txnDate":"${day} 10:00:00","narration":"${narration}",` +
          `"debitOrCredit":"${units < 0 ? "DR" : "CR"}","amountCredited":${credit},"amountDebited":${debit},"balance":${amountOf(balance)}}`,
      );
    }
    return `[${texts.join(",")}]`;
  }
}

function amountOf(units: number): string {
  return (units / 100).toFixed(2);
}

/** A database that dies at its n-th transaction, as with the death of its process. */
function mortal(transactions: number): Sqlite {
  const real = nodeSqlite();
  let left = transactions;
  return {
    ...real,
    open(path, use): DatabaseSync {
      const database = real.open(path, use);
      const exec = database.exec.bind(database);
      database.exec = (sql: string) => {
        if (sql === "COMMIT" && (left -= 1) < 0) throw Object.assign(new Error("gone"), { errcode: 10 });
        exec(sql);
      };
      return database;
    },
  };
}

function fail(): never {
  throw new Error("the calendar of the test is wrong");
}
