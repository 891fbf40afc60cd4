import { command } from "../../app/command.ts";
import { checkFollow, followFlags } from "../../app/follow.ts";
import { rowFilter, whereFlag } from "../../app/where.ts";
import { seenCurrencies } from "../../app/seen/wallets.ts";
import { option, toggle } from "../../cli/line/input.ts";
import { fullIds, isFiltered, journalFilter, journalFilterFlags } from "../../app/journal/filter-flags.ts";
import type { Movement, MovementState } from "../../journal/movement.ts";
import { inBatches, listedFields, listedRow, terminalFields } from "../../movements/journal-report.ts";
import type { RowsReport } from "../../report/report.ts";
import { counted, firstOf, namedMax } from "../../values/text/counted.ts";
import { parseDuration } from "../../values/time/duration.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import { Failure } from "../../values/failure.ts";

const olderThanMaxMs = 3650 * 86_400_000;
import { listFormats } from "../../report/file-format.ts";

export default command({
  summary: "List the orders to move money that the journal knows, oldest first.",
  description:
    "It needs no service and no credentials. With --profile it shows the orders of that profile's account alone. The currency of a transfer or withdrawal is its wallet's, as this machine last saw it.",
  examples: [
    "journal list",
    "journal list --state unknown --fail-if-any --quiet",
    "journal list --state pending --older-than 1d --fail-if-any --quiet",
    "journal list --since 2026-10-01 --csv",
  ],
  args: {},
  flags: {
    ...journalFilterFlags,
    ...whereFlag,
    olderThan: option({
      value: "1d",
      summary: "Only orders placed longer ago than this.",
      read: (text, name) => parseDuration(text, name, "1d", olderThanMaxMs),
    }),
    fullIds,
    ...followFlags,
    failIfAny: toggle({ summary: "End with 6 if there is any, or with 7 if all of them are pending: for cron." }),
  },
  fileFormats: listFormats,
  exits: ["setup", "unknown", "pending"],
  async run({ flags }, session) {
    checkFollow(flags, session);
    if (flags.follow) {
      const { followJournal } = await import("../../app/journal/follow.ts");
      await followJournal(flags, session);
      return undefined;
    }
    const journal = await session.journal("read");
    const { limit, ...filter } = await journalFilter(flags, session);
    const until = flags.olderThan === undefined ? Infinity : session.host.clock.now() - flags.olderThan;
    const currencyOf = await seenCurrencies(session.host);
    const found: Found = { count: 0, states: new Set(), first: [] };
    const see = (movement: Movement) => {
      found.count += 1;
      found.states.add(movement.state);
      if (found.first.length < namedMax) found.first.push(named(movement));
    };
    const chosen = await rowFilter(flags.where, listedFields);
    const report: RowsReport = {
      shape: "rows",
      columns: listedFields,
      onTerminal: terminalFields(flags.fullIds),
      wholeIds: flags.fullIds,
      rows: inBatches(openedUntil(journal.list(filter), until), (movement) => listedRow(movement, currencyOf), {
        keeps: chosen && ((row) => chosen.keeps(row)),
        limit,
        see: flags.failIfAny ? see : undefined,
      }),
      whenEmpty:
        isFiltered(flags, session) || flags.olderThan !== undefined
          ? "The journal has no such order."
          : "The journal has no order yet.",
      findings: () => ({
        notes: [],
        carried: flags.failIfAny && found.count > 0 ? failureOf(found, flags.state) : undefined,
      }),
    };
    return chosen?.withMatchCount(report) ?? report;
  },
});

/** Movements that were opened at `until` or earlier, in milliseconds since 1970. */
async function* openedUntil(movements: AsyncIterable<Movement>, until: number): AsyncGenerator<Movement> {
  for await (const movement of movements) if (movement.openedAt <= until) yield movement;
}

/** What a run found that ends with what it finds. */
interface Found {
  count: number;
  readonly states: Set<MovementState>;
  /** The first of them, in words. */
  readonly first: string[];
}

/** An order in a sentence that cron may mail without the list. */
function named({ reference, kind, state, openedAt }: Movement): string {
  return `${reference} (${kind}, ${state}, ordered ${wallTime(openedAt)})`;
}

function failureOf({ count, states, first }: Found, asked: readonly MovementState[] | undefined): Failure {
  const isPending = asked?.includes("pending") === true && [...states].every((state) => state === "pending");
  const message = `The journal has ${counted(count, "such order")}: ${firstOf(first, count)}.`;
  return new Failure(isPending ? "pending" : "unknown", message, {
    hint: "Find out what happened: partner journal resolve --all",
    money: isPending || asked?.includes("unknown") !== false ? "unknown" : "none",
  });
}
