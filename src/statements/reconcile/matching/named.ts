import type { Mentions } from "./mentions.ts";
import { joinEntries, joinRows } from "./parts.ts";
import type { RowStores } from "./sides.ts";
import { areTogether, pair, sumOf } from "./sides.ts";

const fewDigits = /^\D*\d{1,3}\D*$/;
const anyLetter = /\p{L}/u;

/** Matches a row with the entry that its narration names and that has its amount, each where it is the only one. */
export function matchNamed(sides: RowStores, mentions: Mentions): void {
  const { statement, book } = sides;
  const claims = new Map<number, number[]>();
  for (const row of mentions.rows()) {
    const names = mentions
      .namesIn(row)
      .filter((name) => mentions.entriesOf(name).some((one) => isMeant(sides, row, one)));
    const [name] = names;
    if (name === undefined || names.length > 1) continue;
    const others = claims.get(name);
    if (others === undefined) claims.set(name, [row]);
    else others.push(row);
  }
  for (const [name, rows] of claims)
    for (const [amount, same] of Map.groupBy(rows, (row) => statement.amountOf(row)))
      matchClaims(
        sides,
        same,
        mentions
          .entriesOf(name)
          .filter((entry) => book.amountOf(entry) === amount && same.every((row) => isMeant(sides, row, entry))),
      );
}

/** A few digits alone occur in many narrations, as weeks or quantities: they only count on nearby days. */
function isMeant({ statement, book, texts, span }: RowStores, row: number, entry: number): boolean {
  if (book.amountOf(entry) !== statement.amountOf(row)) return false;
  const isNear = Math.abs(statement.dayOf(row) - book.dayOf(entry)) <= span.windowDays;
  const reference = texts.textOf(book.referenceOf(entry));
  return isNear || anyLetter.test(reference) || !fewDigits.test(reference);
}

/**
 * Matches rows and entries of one reference and one amount: those alone on their day, then the only two that are left.
 */
function matchClaims(sides: RowStores, rows: readonly number[], entries: readonly number[]): void {
  const { statement, book } = sides;
  if (rows.length > 1 || entries.length > 1) {
    const booked = Map.groupBy(entries, (entry) => book.dayOf(entry));
    for (const [day, same] of Map.groupBy(rows, (row) => statement.dayOf(row))) {
      const [[row], [entry, other]] = [same, booked.get(day) ?? []];
      if (same.length > 1 || other !== undefined || row === undefined || entry === undefined) continue;
      pair(sides, row, entry, "matched");
    }
  }
  const [row, secondRow] = rows.filter((one) => statement.isOpen(one));
  const open = entries.filter((one) => book.isOpen(one));
  const near = open.filter((one) => !book.isFar(one));
  const [entry, second] = near.length > 0 ? near : open;
  if (row === undefined || entry === undefined || secondRow !== undefined || second !== undefined) return;
  pair(sides, row, entry, "matched");
}

/**
 * Matches several rows of one side with a single row of the other: rows that have or name its reference, or rows that
 * it names. Only the sum of all open ones counts; no choice is made among them.
 */
export function matchNamedParts(sides: RowStores, mentions: Mentions): void {
  for (const row of mentions.rows()) if (sides.statement.isOpen(row)) splitRow(sides, mentions, row);
  for (const name of mentions.names()) joinNaming(sides, mentions, name);
}

function splitRow(sides: RowStores, mentions: Mentions, row: number): void {
  const { statement, book } = sides;
  const names = mentions.namesIn(row);
  const others = names.flatMap((name) => mentions.rowsNaming(name));
  if (others.some((other) => other !== row && statement.isOpen(other))) return;
  const entries = names.flatMap((name) => mentions.entriesOf(name)).filter((entry) => !book.isFar(entry));
  if (entries.length < 2 || !areTogether(sides, entries, book)) return;
  if (sumOf(sides, book, entries) === statement.amountOf(row)) joinEntries(sides, row, entries, "matched");
}

function joinNaming(sides: RowStores, mentions: Mentions, name: number): void {
  const { statement, book, span } = sides;
  const rows = mentions.rowsNaming(name).filter((row) => statement.isOpen(row));
  const entries = mentions.entriesOf(name).filter((entry) => !book.isFar(entry));
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) return;
  // A row that names another open entry may be for that one.
  const isForOthers = rows.some((row) =>
    mentions.namesIn(row).some((other) => other !== name && mentions.entriesOf(other).length > 0),
  );
  if (isForOthers) return;
  const near = rows.filter((row) => Math.abs(statement.dayOf(row) - book.dayOf(entry)) <= span.windowDays);
  const whole = [rows, near].find((some) => some.length > 1 && isWhole(sides, some, entry));
  if (whole !== undefined) joinRows(sides, whole, entry, "matched");
}

function isWhole(sides: RowStores, rows: readonly number[], entry: number): boolean {
  const { statement, book } = sides;
  return areTogether(sides, rows) && sumOf(sides, statement, rows) === book.amountOf(entry);
}
