import type { Movement } from "../../journal/movement.ts";
import { listedFields, listedRow, terminalFields } from "../../movements/journal-report.ts";
import type { Row } from "../../report/report.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { Failure } from "../../values/failure.ts";
import type { FollowFlags } from "../follow.ts";
import { followRows } from "../follow.ts";
import { seenCurrencies } from "../money/seen-currencies.ts";
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
 * Prints the orders of the journal, and then each that is ordered.
 * @throws {Failure} usage | setup | unavailable
 */
export async function followJournal(flags: Flags, session: Session): Promise<void> {
  if (flags.failIfAny || flags.olderThan !== undefined || flags.limit !== undefined)
    throw new Failure("usage", "--follow goes on, and takes no --fail-if-any, --older-than or --limit.", {
      hint: "Leave --follow or the others out.",
    });
  const filter = await journalFilter(flags, session);
  const chosen = await rowFilter(flags.where, listedFields);
  const journal = await session.journal("read");
  const latest = new Latest();
  await followRows(flags, session, async () => {
    const currencyOf = await seenCurrencies(session.host);
    const rows: Row[] = [];
    for await (const movement of journal.list({ ...filter, since: latest.since ?? filter.since })) {
      if (!latest.isNew(movement)) continue;
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

/** Which orders were printed: those of the latest moment, before which nothing new can be ordered. */
class Latest {
  since: number | undefined;
  #ids = new Set<string>();

  isNew({ id, openedAt }: Movement): boolean {
    if (this.since === openedAt && this.#ids.has(id)) return false;
    if (this.since !== undefined && openedAt < this.since) return false;
    if (this.since !== openedAt) this.#ids = new Set();
    this.since = openedAt;
    this.#ids.add(id);
    return true;
  }
}
