import { command } from "../../app/command.ts";
import { anyText, option, optionalPositional } from "../../cli/line/input.ts";
import { refuseOwnFile } from "../../app/output-guard.ts";
import type { NotedHead } from "../../app/journal/noted-heads.ts";
import { findHead, noteHead } from "../../app/journal/noted-heads.ts";
import type { Session } from "../../app/session.ts";
import type { Journal } from "../../journal/journal.ts";
import { behindReason } from "../../journal/age/registration-words.ts";
import { chainStart } from "../../journal/history/chain-line.ts";
import { historyStart } from "../../journal/history/history.ts";
import { isDamaged } from "../../journal/failures.ts";
import type { ChainEnd } from "../../movements/audit-trail.ts";
import { chainedRow, changedLine, newChain, readHead } from "../../movements/audit-trail.ts";
import type { RecordReport } from "../../report/report.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import { Numeral } from "../../values/json.ts";

export default command({
  summary: "Check that the journal, or an exported history, is whole and as it was written.",
  description:
    "Of the journal it reads every row and its seal, and follows the chain of its history. Of a file it follows the chain alone: no journal and no credentials are needed. The head is the hash of the last line. With --head, an earlier head proves that nothing up to it was changed or cut off. With --since, lines up to a head that was verified on this machine are not read again. For a file, --head has to be the hash of its last line.",
  examples: [
    "journal verify",
    "journal verify --export history.ndjson",
    "journal verify journal-before-2025-01-01.ndjson",
    "journal verify --export history.csv --head 5f3c0bd1a7e94c26b8f05d3e1c79a482e6d01f5b3c8a9470d2e6b15f8a3c07e2",
  ],
  args: {
    file: optionalPositional({ summary: "An archive or an export to check; the same as --export.", read: anyText }),
  },
  flags: {
    export: option({
      value: "FILE",
      summary: "Check this file of journal export --events (csv or ndjson).",
      read: anyText,
    }),
    since: option({
      value: "HEAD",
      summary: "Continue after this noted head; a file may begin there.",
      read: readHead,
    }),
    head: option({ value: "HASH", summary: "The head that was noted when it was exported.", read: readHead }),
  },
  exits: ["setup", "mismatch"],
  async run({ args, flags }, session) {
    const { head, since } = flags;
    const file = flags.export ?? args.file;
    if (file !== undefined) {
      await refuseOwnFile("--save", session.result.save, { path: file, is: "the exported history itself" }, session);
      const { followFile } = await import("../../movements/audit-file.ts");
      const { lines, archived, ...chain } = await followFile(session.host, file, since);
      if (head !== undefined && head !== chain.head) throw cutOff(chain);
      if (head === undefined)
        await session.note("Whether lines are missing at its end is only known with the head: --head HASH");
      if (archived !== undefined) await session.note(`It is an archive of ${counted(archived, "order")}.`);
      // Without a head nothing says where it should end.
      const verdict = head === undefined ? undefined : "It is whole up to this head, and unchanged.";
      return withVerdict(report({ ...chain, count: lines }, undefined), verdict, session);
    }
    const journal = await session.journal("read", { looksAtRefusal: true });
    const begin = since === undefined ? undefined : await findHead(session.host, journal.id, since);
    const rows = await journal.verify(begin?.rows).catch((error: unknown) => {
      throw asMismatch(error);
    });
    const { movements } = rows;
    const followed = await followOn(journal, { head, since, begin });
    const { chain, isPassed, isContinued, earlier, end } = followed;
    if (!isPassed || !isContinued) throw notPassed(chain);
    if (end !== undefined) await noteHead(session.host, { journal: journal.id, head: chain.head, ...end, rows });
    if (journal.refusal?.reason === behindReason) throw journal.refusal;
    if (journal.refusal !== undefined) await session.note(journal.refusal.message);
    const verdict = journal.refusal === undefined ? "Its orders and its history are whole and unchanged." : undefined;
    return withVerdict(report({ count: chain.count - earlier, head: chain.head }, movements), verdict, session);
  },
});

function report({ count, head }: ChainEnd, movements: number | undefined) {
  return {
    shape: "record" as const,
    columns: [
      ...(movements === undefined ? [] : [{ name: "orders", kind: "count" as const }]),
      { name: "lines", kind: "count" as const },
      { name: "head", kind: "id" as const },
    ],
    record: {
      ...(movements === undefined ? {} : { orders: Numeral.of(movements) }),
      lines: Numeral.of(count),
      head,
    },
  };
}

/** The report, and for a person the verdict in words. */
function withVerdict(record: RecordReport, verdict: string | undefined, { host }: Session): RecordReport {
  const notes = verdict !== undefined && host.stderr.isTerminal ? [verdict] : [];
  return { ...record, findings: () => ({ notes }) };
}

interface Followed {
  readonly chain: ChainEnd;
  /** Whether one of its lines has the noted head, and whether one has the head that is continued from. */
  readonly isPassed: boolean;
  readonly isContinued: boolean;
  /** Lines up to the head that is continued from. */
  readonly earlier: number;
  /** The place and the hash before the last line; undefined where there is no line. */
  readonly end: Pick<NotedHead, "place" | "previous"> | undefined;
}

interface Wanted {
  readonly head: string | undefined;
  readonly since: string | undefined;
  /** Where the journal was verified to before. */
  readonly begin: NotedHead | undefined;
}

/** Checks the journal's own chain: only the lines after a noted head, where its line still leads to that head. */
async function followOn(journal: Journal, wanted: Wanted): Promise<Followed> {
  const continued = wanted.begin === undefined ? undefined : await follow(journal, wanted);
  const isEnough = continued !== undefined && continued.isContinued && continued.isPassed;
  return isEnough ? continued : follow(journal, { ...wanted, begin: undefined });
}

async function follow(journal: Journal, { head, since, begin }: Wanted): Promise<Followed> {
  const chain = newChain();
  if (begin !== undefined) Object.assign(chain, { count: begin.place.line, head: begin.previous });
  let isPassed = head === undefined || head === chainStart;
  let isContinued = since === undefined || since === chainStart;
  let earlier = 0;
  let end: Followed["end"];
  let place = begin?.place ?? historyStart;
  try {
    for await (const line of journal.history(begin?.place)) {
      end = { place, previous: chain.head };
      const isFact = line.kind === "batch" || line.kind === "rules";
      place = { line: line.number, event: place.event + (isFact ? 0 : 1), fact: place.fact + (isFact ? 1 : 0) };
      chainedRow(line, chain);
      isPassed ||= chain.head === head;
      if (chain.head === since) earlier = chain.count;
      isContinued ||= chain.head === since;
    }
  } catch (error) {
    throw asMismatch(error);
  }
  if (chain.redacted.changed !== undefined) throw changedLine(chain.redacted.changed);
  return { chain, isPassed, isContinued, earlier, end };
}

/** Damage is a result of this command, not an obstacle. */
function asMismatch(error: unknown): unknown {
  if (!(error instanceof Failure) || !isDamaged(error)) return error;
  return new Failure("mismatch", error.message, { hint: error.hint, reason: "damaged", cause: error });
}

function cutOff({ count, head }: ChainEnd): Failure {
  return new Failure("mismatch", `The file ends after ${count} lines with ${head}, which is not the given head.`, {
    hint: "Lines are missing at its end, or the head belongs to another export.",
    reason: "another head",
  });
}

function notPassed({ count }: ChainEnd): Failure {
  return new Failure("mismatch", `None of the ${count} lines of the journal's history has the given head.`, {
    hint: "Its history was changed since the head was noted, or it is the head of another journal.",
    reason: "another head",
  });
}
