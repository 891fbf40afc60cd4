import { command } from "../../app/command.ts";
import { option, toggle } from "../../cli/line/input.ts";
import { openToTake } from "../../app/journal/taking.ts";
import type { Session } from "../../app/session.ts";
import type { RecoveredRows } from "../../evidence/recovery.ts";
import { keepReferences, readReferences } from "../../evidence/recovery.ts";
import type { JournalGap } from "../../journal/age/gap.ts";
import { Failure } from "../../values/failure.ts";
import { counted } from "../../values/text/counted.ts";
import type { Day } from "../../values/time/day.ts";
import { dayInDarEsSalaam, parseDay, startOfDayInDarEsSalaam } from "../../values/time/day.ts";
import type { ClockSpread } from "../../values/time/service-clock.ts";
import { daysAt } from "../../values/time/service-clock.ts";
import { Numeral } from "../../values/json.ts";
import { violation } from "../../values/violation.ts";

/** How far back statements are read where it is not known since when orders are missing. */
const defaultDays = 90;

export default command({
  summary: "Read the statements for what the journal does not know, and let orders leave again.",
  description: `For a journal that was restored, cloned or lost, and for a new machine. It reads the statement of every wallet since the journal's last order, or since --from, or else since ${defaultDays} days ago. It keeps every reference of their rows: an order under one of them is not sent. Without a journal, a new one begins. Other accounts that the journal was used for need a run each. For a day, the statement is asked before an order leaves.`,
  examples: ["journal recover", "journal recover --dry-run", "journal recover --profile shop --from 2026-01-01"],
  args: {},
  flags: {
    from: option({
      value: "YYYY-MM-DD",
      summary: `Read the statements from this day on (default: the day before the last order, or ${defaultDays} days ago).`,
      read: parseDay,
    }),
    allowEmpty: toggle({ summary: "Continue if the statements show no row: none of the missing orders moved money." }),
    dryRun: toggle({ char: "n", summary: "Read the statements, say what they carry, and change nothing." }),
  },
  exits: ["setup", "unavailable"],
  async run({ flags }, session) {
    const [scope, today] = [await session.accountScope(), session.today()];
    if (flags.from !== undefined && flags.from.compare(today) > 0) throw notYet(flags.from, today);
    const { gap, lackingFrom, found, place } = await read(session, {
      scope,
      from: flags.from,
      allowEmpty: flags.allowEmpty,
      dryRun: flags.dryRun,
    });
    const { from } = found;
    const taken = flags.dryRun ? undefined : await take(session, { scope, lackingFrom, found });
    return {
      shape: "record",
      columns: [
        { name: "journal", kind: "id" },
        { name: "from", kind: "id" },
        { name: "to", kind: "id" },
        { name: "wallets", kind: "count" },
        { name: "rows", kind: "count" },
        { name: "references", kind: "count" },
        { name: "new", kind: "count" },
      ],
      record: {
        journal: place,
        from: from.toString(),
        to: today.toString(),
        wallets: Numeral.of(found.wallets),
        rows: Numeral.of(found.rows),
        references: Numeral.of(found.references),
        new: taken === undefined ? undefined : Numeral.of(taken.added),
      },
      findings: () => ({
        notes: [...daysLeftOut(gap, from), ...notesOf(found, taken, gap)],
        carried: unreadEnding(found, taken !== undefined),
      }),
    };
  },
});

interface Reading {
  readonly scope: string;
  /** The value of the flag. */
  readonly from: Day | undefined;
  /**
   * A person's confirmation that none of the missing orders moved money: an account with only refused orders has no
   * rows.
   */
  readonly allowEmpty: boolean;
  readonly dryRun: boolean;
}

/** Reads the statements. Unless all can be read to their end, the journal stays locked for orders. */
async function read(session: Session, { scope, from: typed, allowEmpty, dryRun }: Reading) {
  const { journal, registration, place } = await openToTake(session, "inspect", scope, !dryRun);
  try {
    const gap = await registration.gap(scope);
    const clock = session.clockWatch.watch();
    const nowMs = () => session.host.clock.now();
    const period = () => {
      const from = typed ?? startOf(gap, nowMs(), clock.spread);
      return { from, days: daysAt(nowMs(), clock.spread) };
    };
    // A day that a person typed is for this account, and this reading of it.
    const lackingFrom = () => startOfDayInDarEsSalaam(earlier(period().from, startOf(gap, nowMs(), clock.spread)));
    if (!dryRun) await registration.beginReading(scope, lackingFrom());
    const expectsRows = gap.isCertain && !allowEmpty;
    const reading = { scope, period, expectsRows, say: (line: string) => session.note(line) };
    const found = await readReferences(session.service, journal, reading);
    return { gap, place, found, lackingFrom: lackingFrom() };
  } finally {
    await journal.close();
  }
}

interface Take {
  readonly scope: string;
  /** Since when orders of other accounts, too, may be missing, milliseconds since 1970. */
  readonly lackingFrom: number;
  readonly found: RecoveredRows;
}

/** Records the orders that were found, and unlocks the journal; where there is none, a new one begins. */
async function take(session: Session, { scope, lackingFrom, found }: Take): Promise<Taken> {
  const { journal, registration } = await openToTake(session, "recover", scope);
  try {
    const added = await keepReferences(journal, found.seen);
    // A new journal has to know the account by all of its names.
    await journal.keepNames(registration.namesOf(scope));
    const unreadWallets = found.unread.map(({ accountNo }) => accountNo);
    await registration.take([scope], { from: lackingFrom, unreadWallets });
    return { added, unread: registration.unread };
  } finally {
    await journal.close();
  }
}

interface Taken {
  readonly added: number;
  /** Other accounts whose statements have yet to be read. */
  readonly unread: readonly string[];
}

/**
 * A day before the last order that is known, since the service's clock may differ. A last order in the future was
 * recorded by a clock that was ahead, for an unknown time.
 */
function startOf({ from }: JournalGap, nowMs: number, spread: ClockSpread): Day {
  const [now, last] = [daysAt(nowMs, spread), from === undefined ? undefined : daysAt(from, spread)];
  const isKnown = last !== undefined && last.earliest.compare(now.latest) <= 0;
  return isKnown ? last.earliest.addDays(-1) : now.earliest.addDays(-defaultDays);
}

function earlier(one: Day, other: Day): Day {
  return one.compare(other) < 0 ? one : other;
}

/** A person may choose a later day, but is told which days are not read. */
function daysLeftOut({ from: since }: JournalGap, from: Day): string[] {
  const first = since === undefined ? undefined : dayInDarEsSalaam(since);
  if (first === undefined || from.compare(first) <= 0) return [];
  const days = `${first.toString()} to ${from.addDays(-1).toString()}`;
  return [`Orders may be missing since ${first.toString()}. The days from ${days} were not read.`];
}

function notesOf(
  { references, rows, unread }: RecoveredRows,
  taken: Taken | undefined,
  { isCertain }: JournalGap,
): string[] {
  const found = `The statements carry ${counted(references, "reference")}`;
  const notes = [
    ...(rows === 0 && isCertain ? ["They show no row of that time, though orders left."] : []),
    taken === undefined
      ? `${found}. Nothing was changed.`
      : `${found}. New to the journal, and kept: ${counted(taken.added, "row")}.`,
    "Statements do not show collections without an outcome, remittances, and merchant accounts that no profile names.",
  ];
  if (taken === undefined) return notes;
  const others = taken.unread.map(
    (scope) => `Orders of ${scope} wait for its statements: partner journal recover --profile NAME`,
  );
  const again = unread.length === 0 ? "Orders can leave again." : "Orders of the other wallets can leave again.";
  return [...notes, ...others, `${again} For a day, the statement is asked before one does.`];
}

/** The ending of a run in which some wallets could not be read. */
function unreadEnding({ unread }: RecoveredRows, isTaken: boolean): Failure | undefined {
  const [first] = unread;
  if (first === undefined) return undefined;
  const { message, requestId, http, cause } = first.failure;
  const numbers = unread.map(({ accountNo }) => accountNo).join(", ");
  const whose = unread.length === 1 ? "of this wallet" : "of these wallets";
  const wait = `Orders ${whose} wait, and so do collections and remittances.`;
  return new Failure("unavailable", `Not read: ${numbers}. ${message}`, {
    hint: `${isTaken ? wait : "Nothing was changed."} Run it again later: partner journal recover`,
    requestId,
    http,
    details: Object.fromEntries(unread.slice(1).map(({ accountNo, failure }) => [accountNo, failure.message])),
    cause,
  });
}

function notYet(from: Day, today: Day): Error {
  return violation({
    field: "--from",
    text: from.toString(),
    problem: "is still to come",
    example: today.addDays(-1).toString(),
  });
}
