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
    throw new Failure("usage", "--follow goes on, and takes no --fail-if-any, --older-than or --limit.", {
      hint: "Leave --follow or the others out.",
    });
  const { states, ...filter } = await journalFilter(flags, session);
  const chosen = await rowFilter(flags.where, listedFields);
  const journal = await session.journal("read");
  const watched = new Watched();
  await followRows(flags, session, async () => {
    const currencyOf = await seenCurrencies(session.host);
    const rows: Row[] = [];
    const print = (movement: Movement) => {
      if (states?.includes(movement.state) === false) return;
      const row = listedRow(movement, currencyOf);
      if (chosen?.keeps(row) ?? true) rows.push(row);
    };
    for (const id of watched.ids()) {
      const movement = await journal.read(id);
      if (movement !== undefined && watched.isChanged(movement)) print(movement);
    }
    for await (const movement of journal.list({ ...filter, since: watched.since ?? filter.since }))
      if (watched.isNew(movement)) print(movement);
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

/**
 * The orders that were seen, with their states: all that can still change, and the latest of the others. No new order
 * can be older than the latest one.
 */
class Watched {
  since: number | undefined;
  /** Orders opened at that time. */
  #latest = new Set<string>();
  readonly #open = new Map<string, MovementState>();
  readonly #settled = new Map<string, MovementState>();

  ids(): readonly string[] {
    return [...this.#open.keys(), ...this.#settled.keys()];
  }

  isNew(movement: Movement): boolean {
    const { id, openedAt } = movement;
    if (this.since === openedAt && this.#latest.has(id)) return false;
    if (this.since !== undefined && openedAt < this.since) return false;
    if (this.since !== openedAt) this.#latest = new Set();
    this.since = openedAt;
    this.#latest.add(id);
    const isKnown = this.#open.has(id) || this.#settled.has(id);
    this.#keep(movement);
    return !isKnown;
  }

  isChanged(movement: Movement): boolean {
    const { id, state } = movement;
    if ((this.#open.get(id) ?? this.#settled.get(id)) === state) return false;
    this.#keep(movement);
    return true;
  }

  #keep({ id, state, settledAt }: Movement): void {
    for (const known of [this.#open, this.#settled]) known.delete(id);
    (settledAt === null ? this.#open : this.#settled).set(id, state);
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > settledMaxCount && oldest !== undefined) this.#settled.delete(oldest);
  }
}
