import { DamageError } from "../../../storage/failures.ts";
import type { Database } from "../../../storage/sqlite/database.ts";
import type { LedgerAccount } from "../../ledger.ts";
import { placesOf } from "../../places.ts";
import { withoutAccount } from "../../terms/row-terms.ts";
import type { Sought, Term } from "../../terms/term.ts";
import { termsEnd } from "../../terms/term.ts";
import { Columns } from "../../records.ts";
import { BucketReader, decodeNumbers } from "./piece.ts";

/**
 * The numbers of rows that can be meant, upwards, in stretches: what the index gives, and all that it lacks. Some may be
 * gone.
 */
export function* numbersWith(database: Database, account: LedgerAccount, asked: Sought): Generator<readonly number[]> {
  const sought = withoutAccount(asked, account.accountNo);
  const { first, last } = placesOf(account);
  if (sought.some((terms) => terms.length === 0)) {
    yield numbersBetween(database, first, last);
    return;
  }
  const from = unindexedFrom(database, account);
  const rest = from === null ? [] : numbersBetween(database, Math.max(first, from), last);
  const stretches = database.attempt(() =>
    piecesOf(database, account).map((piece): Stretch => ({
      ...boundsOf(piece.numbers),
      read: () => rowsIn(database, piece, sought),
    })),
  );
  if (rest.length > 0) stretches.push({ ...boundsOf(rest), read: () => rest });
  for (const together of overlapping(stretches)) {
    const numbers = database.attempt(() => together.flatMap(({ read }) => read()));
    const sorted = Float64Array.from(numbers).sort();
    yield [...sorted].filter((number, at) => number !== sorted[at - 1]);
  }
}

/** Rows between two numbers. */
interface Stretch {
  readonly first: number;
  readonly last: number;
  readonly read: () => readonly number[];
}

function boundsOf(numbers: readonly number[]): Pick<Stretch, "first" | "last"> {
  let [first, last] = [Infinity, -Infinity];
  for (const number of numbers) [first, last] = [Math.min(first, number), Math.max(last, number)];
  return { first, last };
}

/** Upwards; those that lie across each other are together. */
function overlapping(stretches: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const groups: Stretch[][] = [];
  let end = -Infinity;
  for (const stretch of stretches.toSorted((one, other) => one.first - other.first)) {
    if (stretch.first > end) groups.push([]);
    groups.at(-1)?.push(stretch);
    end = Math.max(end, stretch.last);
  }
  return groups;
}

/** From which place on the index may lack rows; null where it has all of them. */
export function unindexedFrom(database: Database, { number }: LedgerAccount): number | null {
  const record = database.get("SELECT unindexed_from FROM accounts WHERE number = :number", { number });
  return database.attempt(() => new Columns(record).numberOrNull("unindexed_from"));
}

interface Piece {
  readonly number: number;
  readonly numbers: readonly number[];
}

function numbersBetween(database: Database, first: number, last: number): number[] {
  const records = database.all(
    "SELECT number FROM entries WHERE number >= :first AND number <= :last AND gone_at IS NULL ORDER BY number",
    { first, last },
  );
  return database.attempt(() => records.map((record) => new Columns(record).number("number")));
}

function piecesOf(database: Database, { number }: LedgerAccount): Piece[] {
  const records = database.all("SELECT number, numbers FROM term_pieces WHERE account = :number", { number });
  return records.map((record) => {
    const columns = new Columns(record);
    return { number: columns.number("number"), numbers: decodeNumbers(columns.bytes("numbers")) };
  });
}

function rowsIn(database: Database, piece: Piece, sought: Sought): number[] {
  const rowsOf = postingsOf(database, piece, sought.flat());
  const isFound = new Uint8Array(piece.numbers.length);
  for (const terms of sought) {
    const lists = terms.map((term) => rowsOf.get(term) ?? []).toSorted((one, other) => one.length - other.length);
    const [shortest = [], ...others] = lists;
    const sets = others.map((rows) => new Set(rows));
    for (const row of shortest) if (sets.every((rows) => rows.has(row))) isFound[row] = 1;
  }
  return piece.numbers.filter((_, row) => isFound[row] === 1);
}

/** The rows of each term; a stretch of the piece that has several of them is read once. */
function postingsOf(database: Database, piece: Piece, wanted: readonly Term[]): ReadonlyMap<Term, readonly number[]> {
  const start = piece.number * termsEnd;
  const rowsOf = new Map<Term, readonly number[]>();
  let reader: BucketReader | undefined;
  for (const term of new Uint32Array(new Set(wanted)).sort()) {
    if (reader?.reaches(term) !== true) reader = bucketWith(database, start, term);
    const rows = reader?.rowsOf(term);
    if (rows !== undefined) rowsOf.set(term, checked(rows, piece));
  }
  return rowsOf;
}

/** The stretch in which a term would stand. */
function bucketWith(database: Database, start: number, term: Term): BucketReader | undefined {
  const record = database.get(
    `SELECT number, postings FROM terms WHERE number >= :start AND number <= :number ORDER BY number DESC LIMIT 1`,
    { start, number: start + term },
  );
  if (record === undefined) return undefined;
  const columns = new Columns(record);
  return new BucketReader({ first: columns.number("number") - start, bytes: columns.bytes("postings") });
}

function checked(rows: readonly number[], { numbers }: Piece): readonly number[] {
  if ((rows.at(-1) ?? 0) >= numbers.length) throw new DamageError("an index names rows that it does not have");
  return rows;
}
