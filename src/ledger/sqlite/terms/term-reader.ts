import { DamageError } from "../../../storage/failures.ts";
import type { Database } from "../../../storage/sqlite/database.ts";
import type { LedgerAccount } from "../../ledger.ts";
import { placesOf } from "../../places.ts";
import { withoutAccount } from "../../terms/row-terms.ts";
import type { Sought, Term } from "../../terms/term.ts";
import { termsEnd } from "../../terms/term.ts";
import { Columns } from "../../records.ts";
import type { Posting } from "./piece.ts";
import { BucketReader, decodeNumbers } from "./piece.ts";

/**
 * The numbers of rows that may match, ascending, in batches: those that the index finds, and all rows that it lacks.
 * Some may be gone.
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
    piecesOf(database, account).map((piece): Stretch => ({ ...piece, read: () => rowsIn(database, piece, sought) })),
  );
  const [least, most] = [rest[0], rest.at(-1)];
  if (least !== undefined && most !== undefined) stretches.push({ first: least, last: most, read: () => rest });
  for (const together of overlapping(stretches)) {
    const numbers = database.attempt(() => together.flatMap(({ read }) => read()));
    const sorted = Float64Array.from(numbers).sort();
    yield [...sorted].filter((number, at) => number !== sorted[at - 1]);
  }
}

/** The numbers of everything that the index of an account finds, ascending. */
export function indexedNumbers(database: Database, account: { readonly number: number }, sought: Sought): number[] {
  const found = database.attempt(() => piecesOf(database, account).flatMap((piece) => rowsIn(database, piece, sought)));
  return [...new Set(found)].toSorted((one, other) => one - other);
}

/** Rows between two numbers. */
interface Stretch {
  readonly first: number;
  readonly last: number;
  readonly read: () => readonly number[];
}

/** Groups of stretches that overlap, in ascending order. */
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

/** The number from which the index may lack rows; null where it is complete. */
export function unindexedFrom(database: Database, { number }: LedgerAccount): number | null {
  const record = database.get("SELECT unindexed_from FROM accounts WHERE number = :number", { number });
  return database.attempt(() => new Columns(record).numberOrNull("unindexed_from"));
}

interface Piece {
  readonly number: number;
  readonly rows: number;
  readonly first: number;
  readonly last: number;
}

function numbersBetween(database: Database, first: number, last: number): number[] {
  const records = database.all(
    "SELECT number FROM entries WHERE number >= :first AND number <= :last AND gone_at IS NULL ORDER BY number",
    { first, last },
  );
  return database.attempt(() => records.map((record) => new Columns(record).number("number")));
}

function piecesOf(database: Database, { number }: Pick<LedgerAccount, "number">): Piece[] {
  const records = database.all("SELECT number, rows, first, last FROM term_pieces WHERE account = :number", { number });
  return records.map((record) => {
    const columns = new Columns(record);
    return {
      number: columns.number("number"),
      rows: columns.number("rows"),
      first: columns.number("first"),
      last: columns.number("last"),
    };
  });
}

function rowsIn(database: Database, piece: Piece, sought: Sought): number[] {
  const postings = postingsOf(database, piece, sought.flat());
  const found = new Set<number>();
  for (const terms of sought) {
    const own = terms.flatMap((term) => postings.get(term) ?? []);
    if (own.length < terms.length) continue;
    const [shortest, ...others] = own.toSorted((one, other) => one.count - other.count);
    const sets = others.map((posting) => new Set(posting.rows()));
    for (const row of shortest?.rows() ?? []) if (sets.every((rows) => rows.has(row))) found.add(row);
  }
  return found.size === 0 ? [] : numbersOf(database, piece, found);
}

/** The numbers of rows, from their positions in the piece. */
function numbersOf(database: Database, { number, rows }: Piece, places: ReadonlySet<number>): number[] {
  const record = database.get("SELECT numbers FROM term_pieces WHERE number = :number", { number });
  const numbers = decodeNumbers(new Columns(record).bytes("numbers"));
  if (numbers.length !== rows) throw new DamageError("an index lacks rows of its own");
  return [...places].map((place) => {
    const own = numbers[place];
    if (own === undefined) throw new DamageError("an index names rows that it does not have");
    return own;
  });
}

/** Which rows have each term. A bucket that has several of the terms is read once. */
function postingsOf(database: Database, piece: Piece, wanted: readonly Term[]): ReadonlyMap<Term, Posting> {
  const start = piece.number * termsEnd;
  const postings = new Map<Term, Posting>();
  let reader: BucketReader | undefined;
  for (const term of new Uint32Array(new Set(wanted)).sort()) {
    if (reader?.reaches(term) !== true) reader = bucketWith(database, start, term);
    if (reader?.reaches(term) === true && reader.term === term) postings.set(term, reader.posting);
  }
  return postings;
}

/** The bucket in which a term would be. */
function bucketWith(database: Database, start: number, term: Term): BucketReader | undefined {
  const record = database.get(
    `SELECT number, postings FROM terms WHERE number >= :start AND number <= :number ORDER BY number DESC LIMIT 1`,
    { start, number: start + term },
  );
  if (record === undefined) return undefined;
  const columns = new Columns(record);
  return new BucketReader({ first: columns.number("number") - start, bytes: columns.bytes("postings") });
}
