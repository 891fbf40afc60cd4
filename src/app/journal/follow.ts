import type { Journal, MovementFilter } from "../../journal/journal.ts";
import { isMeant } from "../../journal/lookups/query.ts";
import type { Movement, MovementState } from "../../journal/movement.ts";
import { listedFields, listedRow, terminalFields } from "../../movements/journal-report.ts";
import type { Row } from "../../report/report.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { Failure } from "../../values/failure.ts";
import type { FollowFlags } from "../follow.ts";
import { followRows } from "../follow.ts";
import { seenCurrencies } from "../seen/wallets.ts";
import type { Session } from "../session.ts";
import type { whereFlag } from "../where.ts";
import { rowFilter } from "../where.ts";
import type { journalFilterFlags } from "./filter-flags.ts";
import { journalFilter } from "./filter-flags.ts";

type Flags = FlagValues<typeof journalFilterFlags & typeof whereFlag> &
  FollowFlags & {
    readonly fullIds: boolean;
    readonly failIfAny: boolean;
    readonly olderThan?: number | undefined;
  };

/**
 * Prints the orders of the journal, and then each new order and each whose state has changed.
 * @throws {Failure} usage | setup | unavailable
 */
export async function followJournal(flags: Flags, session: Session): Promise<void> {
  if (flags.failIfAny || flags.olderThan !== undefined || flags.limit !== undefined)
    throw new Failure("usage", "--follow never ends, and takes no --fail-if-any, --older-than or --limit.", {
      hint: "Leave --follow or the others out.",
    });
  const { states, ...filter } = await journalFilter(flags, session);
  const chosen = await rowFilter(flags.where, listedFields);
  const journal = await session.journal("read");
  const watched = new Watched(journal, filter);
  await followRows(flags, session, async () => {
    const currencyOf = await seenCurrencies(session.host);
    const rows: Row[] = [];
    for await (const movement of await watched.look()) {
      watched.keep(movement);
      if (states?.includes(movement.state) === false) continue;
      const row = listedRow(movement, currencyOf);
      if (chosen?.keeps(row) ?? true) rows.push(row);
    }
    return {
      shape: "rows",
      columns: listedFields,
      onTerminal: terminalFields(flags.fullIds),
      wholeIds: flags.fullIds,
      rows,
      whenEmpty: "The journal has no such order yet.",
    };
  });
}

/** How many of the latest settled orders are read again, since one can be reversed or sent again. */
const settledMaxCount = 200;
/** So many of the newest orders are known by their ids, and behind so many known ones no new order is expected. */
const knownMaxCount = 2000;
const knownInTurn = 200;

/**
 * The orders that were seen, with their states: all that can still change, and the latest of the others. Which order is
 * new is a matter of its place in the journal and not of its time: a clock goes back, and those of hosts differ.
 */
class Watched {
  readonly #journal: Journal;
  readonly #filter: MovementFilter;
  readonly #newest = new Set<string>();
  readonly #open = new Map<string, MovementState>();
  readonly #settled = new Map<string, MovementState>();

  constructor(journal: Journal, filter: MovementFilter) {
    this.#journal = journal;
    this.#filter = filter;
  }

  /** All orders, and later those that have changed or are new. A look that fails keeps none, and is repeated. */
  async look(): Promise<AsyncIterable<Movement> | readonly Movement[]> {
    if (this.#newest.size > 0) return [...(await this.#changed()), ...(await this.#added())];
    const latest: string[] = [];
    for await (const { id } of this.#latest(knownMaxCount)) latest.push(id);
    for (const id of latest.toReversed()) this.#know(id);
    return this.#journal.list(this.#filter);
  }

  keep({ id, state, settledAt }: Movement): void {
    this.#know(id);
    for (const known of [this.#open, this.#settled]) known.delete(id);
    (settledAt === null ? this.#open : this.#settled).set(id, state);
    dropOldest(this.#settled, settledMaxCount);
  }

  #know(id: string): void {
    this.#newest.add(id);
    dropOldest(this.#newest, knownMaxCount);
  }

  async #changed(): Promise<Movement[]> {
    const changed: Movement[] = [];
    for (const [id, state] of [...this.#open, ...this.#settled]) {
      const movement = await this.#journal.read(id);
      if (movement !== undefined && movement.state !== state) changed.push(movement);
    }
    return changed;
  }

  /**
   * The orders that came since the last look, oldest first. Where the orders of one person are few, those of others show
   * where to end.
   */
  async #added(): Promise<Movement[]> {
    const added: Movement[] = [];
    const others: string[] = [];
    let knownCount = 0;
    for await (const movement of this.#latest()) {
      if (this.#newest.has(movement.id)) knownCount += 1;
      else if (isMeant(movement, this.#filter)) added.push(movement);
      else others.push(movement.id);
      if (knownCount === knownInTurn) break;
    }
    for (const id of others.toReversed()) this.#know(id);
    return added.toReversed();
  }

  /** The newest orders first, whoever ordered them. */
  #latest(limit?: number): AsyncIterable<Movement> {
    return this.#journal.list({ ...this.#filter, user: undefined, host: undefined, newestFirst: true, limit });
  }
}

function dropOldest(kept: Set<string> | Map<string, MovementState>, maxCount: number): void {
  const [oldest] = kept.keys();
  if (kept.size > maxCount && oldest !== undefined) kept.delete(oldest);
}
