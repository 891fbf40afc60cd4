import type { Candidate } from "./candidates.ts";
import { candidatesIn } from "./candidates.ts";

/** A slip that changes nothing that anybody could notice: no test can. */
interface Equivalent {
  readonly source: string;
  /** The line as the slip leaves it, without the spaces around it. */
  readonly line: string;
  readonly why: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    source: "src/journal/sqlite/verify.ts",
    line: "for (let after = first; after <= movements; after += comparedMaxRows)",
    why: "one more query, for rows behind the last one",
  },
  {
    source: "src/journal/journal-copy.ts",
    line: "const pageMaxRows = 501;",
    why: "rows are copied in other pieces",
  },
  {
    source: "src/journal/age/marks.ts",
    line: "return (await this.#pages())[0]?.epoch ?? 1;",
    why: "epochs are only compared with each other, and the first has none before it",
  },
  {
    source: "src/movements/waiting/waiting.ts",
    line: "const tickMs = 1001;",
    why: "the journal is looked at a millisecond later",
  },
  {
    source: "src/movements/waiting/tunnel.ts",
    line: "while (end >= 0 && trailingMarks.includes(found.charAt(end - 1))) end -= 1;",
    why: "an address begins with its scheme, which no mark ends",
  },
  {
    source: "src/client/answer.ts",
    line: "if (bytes <= pieceBytes) continue;",
    why: "the same bytes in other pieces",
  },
  {
    source: "src/values/time/service-clock.ts",
    line: "const [firstMs, lastMs] = [Date.UTC(2020, 0, 1), Date.UTC(2200, 0, 2)];",
    why: "a day more in two hundred years of a usable clock",
  },
  {
    source: "src/report/workbook/zip.ts",
    line: "const chunkSize = 64 * 1025;",
    why: "the same bytes in other pieces",
  },
  {
    source: "src/ledger/merge/alignment.ts",
    line: "for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -2) kept.add(at);",
    why: "every index has one before it, or -1",
  },
  {
    source: "src/storage/group-commit.ts",
    line: "if (this.#isTurnComing && this.#queue.length === 0 || this.#syncs >= syncsMax) return;",
    why: "one more turn, which commits what waits, or nothing",
  },
  {
    source: "src/journal/sqlite/journal-view.ts",
    line: 'if (number === undefined) return { number: 1, at: 0, seal: "" };',
    why: "the first order has several events: a journal without any ends before all of them",
  },
  {
    source: "src/journal/sqlite/sqlite-journal.ts",
    line: "readonly redactBatch = async (): Promise<boolean> => true;",
    why: "it is called for submitted batches, and a journal of one machine has none",
  },
  {
    source: "src/movements/guards/order-date.ts",
    line: "const days = day === undefined ? 1 : today.daysUntil(day);",
    why: "without a day there is no warning, whatever the number",
  },
  {
    source: "src/app/close/closes-file.ts",
    line: "await draft.write(`${JSON.stringify(closes, undefined, 3)}\\n`);",
    why: "the same closes, with other spaces between them",
  },
  {
    source: "src/statements/reconcile/result/balance.ts",
    line: "for (let row = 0; row <= statement.count; row += 1) {",
    why: "what comes behind the last row adds zero",
  },
  {
    source: "src/journal/postgres/lock-slots.ts",
    line: "INSERT INTO partner.lock_slots (slot, held) SELECT slot, false FROM generate_series(0, ${lockSlots + 1}) AS slot;",
    why: "two more locks, which no name leads to",
  },
  {
    source: "src/webhooks/inbox/sqlite-inbox.ts",
    line: "const pruneStep = 2001;",
    why: "the same events in other pieces",
  },
  {
    source: "src/report/terminal/text-width.ts",
    line: "const charactersCount = 1114113;",
    why: "room for one more character than there is",
  },
  {
    source: "src/simulator/demo/oddities.ts",
    line: '[4, "in", "9007199254740993.00"],',
    why: "a row of the demo on the next day",
  },
  {
    source: "src/journal/postgres/migration.ts",
    line: "if (perform && former !== undefined && former >= keysVersion && former <= likesVersion)",
    why: "the same keys are written once more",
  },
  {
    source: "src/journal/sqlite/migration.ts",
    line: "const keysVersion = 3;",
    why: "the keys are made one step later, in the same transaction",
  },
  {
    source: "src/journal/sqlite/verify.ts",
    line: "movementOf(row, true);",
    why: "a row is read to see whether it can be, and what it says is not used",
  },
  {
    source: "src/journal/postgres/archiving.ts",
    line: "for (let start = 0; start <= orders.length; start += pageMaxRows) {",
    why: "one more page, of no orders",
  },
  {
    source: "src/books/cash.ts",
    line: "const gaps = chain.breaks.filter(({ sinceDay, day }) => sinceDay <= endDay && day >= endDay);",
    why: "a gap counts where it is at the first row after the period",
  },
  {
    source: "src/statements/exports/least-broken.ts",
    line: "const to = before && knownAt(steps, places.get(before) ?? 1, 1);",
    why: "a gap lies between two steps, and each has a place",
  },
  {
    source: "src/ledger/sqlite/proof/altered.ts",
    line: 'first = columns.number("number") + 2;',
    why: "rows have places far apart: two stand side by side only after very many late ones between them",
  },
  {
    source: "src/host/files/node-spool.ts",
    line: "const chunkBytes = 65 * 1024;",
    why: "the same bytes in other pieces",
  },
  {
    source: "src/evidence/knowledge.ts",
    line: "const daysApart = 10;",
    why: "orders of one more day, which have no row in common",
  },
  {
    source: "src/client/masked-body.ts",
    line: "held.length >= 0 ? Buffer.concat([held, piece]) : Buffer.from(piece.buffer, piece.byteOffset, piece.length);",
    why: "a copy of the same bytes",
  },
];

/** True for a slip that is listed above. */
export function isEquivalent(source: string, code: string, slip: Candidate): boolean {
  return equivalents.some((known) => known.source === source && known.line === lineOf(code, slip));
}

/** Those that none of the slips in the sources makes any more. */
export function stale(read: (source: string) => string): string[] {
  return equivalents.flatMap(({ source, line }) => {
    const code = read(source);
    return candidatesIn(code).some((slip) => lineOf(code, slip) === line) ? [] : [`${source}: ${line}`];
  });
}

function lineOf(code: string, { start, end, instead }: Candidate): string {
  const from = code.lastIndexOf("\n", start - 1) + 1;
  const to = code.indexOf("\n", end);
  return (code.slice(from, start) + instead + code.slice(end, to)).trim();
}
