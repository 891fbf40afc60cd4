import { DamageError } from "../../storage/failures.ts";
import type { StatementProof } from "../movement.ts";
import { sha256 } from "../requests/request-hash.ts";
import type { EventRow } from "./row.ts";

// Rows of statements that prove an order are in a table of their own. The line of history of the step that kept them
// names each with a digest, so that none is changed, removed or added without a break of the chain.

const member = "proofs";
/** What is left of a row whose order is in an archive. */
const emptied = "{}";
/** SQL: a line that names rows. */
export const namesProofsSql = `e.replaced LIKE '%"${member}":%'`;

/** Adds the digests of these rows to what a line's step replaced. */
export function namingProofs(replaced: string | null, proofs: readonly StatementProof[]): string | null {
  if (proofs.length === 0) return replaced;
  const before: object = Object(JSON.parse(replaced ?? "{}"));
  return JSON.stringify({ ...before, [member]: Object.fromEntries(proofs.map(({ key, row }) => [key, sha256(row)])) });
}

/** The same for an order whose rows are emptied, as they are in an archive. */
export function namingEmptied(replaced: string, keys: readonly string[]): string {
  const proofs = keys.map((key) => ({ key, row: emptied }));
  return namingProofs(replaced, proofs) ?? replaced;
}

/** The digests that a line names, by the keys of the rows. */
export function proofsNamedIn(replaced: string | null): ReadonlyMap<string, string> {
  if (replaced?.includes(`"${member}":`) !== true) return new Map();
  const named: unknown = Reflect.get(Object(JSON.parse(replaced)), member);
  return new Map(Object.entries(Object(named)).map(([key, digest]) => [key, String(digest)]));
}

/** A line's rows with the digests that they have by now. */
export function renamedProofs(named: unknown, proofs: readonly StatementProof[]): unknown {
  const now = new Map(proofs.map(({ key, row }) => [key, sha256(row)]));
  return Object.fromEntries(
    Object.entries(Object(named)).map(([key, digest]): [string, unknown] => [key, now.get(key) ?? digest]),
  );
}

/** The rows that history names. A row is kept once: the first line that names it counts. */
export class NamedProofs {
  readonly #digests = new Map<string, string>();

  see({ movement, replaced }: Pick<EventRow, "movement" | "replaced">): void {
    for (const [key, digest] of proofsNamedIn(replaced))
      if (!this.#digests.has(key)) this.#digests.set(key, `${movement} ${digest}`);
  }

  /** The keys of rows that are not checked off yet. */
  get keys(): readonly string[] {
    return [...this.#digests.keys()];
  }

  /** True where the texts of one order's rows are those that its lines name. */
  areRows(rows: readonly string[]): boolean {
    const texts = rows.map((row) => `0 ${sha256(row)}`).toSorted();
    return JSON.stringify(texts) === JSON.stringify([...this.#digests.values()].toSorted());
  }

  /** Takes a row off the list: true where it is as it was named, false for one to look at again. */
  checkOff(key: string, movement: number, row: string): boolean {
    const named = this.#digests.get(key);
    this.#digests.delete(key);
    return named === `${movement} ${sha256(row)}`;
  }
}

/**
 * Checks one row again, with the lines of its order as they were at the same moment.
 * @param records `row` of the row, and `movement` and `replaced` of each line of its order that names rows
 * @throws {DamageError} where it is not as it was named
 */
export function checkProof(key: string, records: readonly unknown[]): void {
  const named = new NamedProofs();
  const cells = records.map((record) => new Map<string, unknown>(Object.entries(Object(record))));
  for (const cell of cells) {
    const replaced = cell.get("replaced");
    named.see({ movement: Number(cell.get("movement")), replaced: typeof replaced === "string" ? replaced : null });
  }
  const [first] = cells;
  if (first === undefined) throw new DamageError("a row of a statement that proved an order is missing");
  if (!named.checkOff(key, Number(first.get("movement")), String(first.get("row"))))
    throw new DamageError("a row of a statement differs from the row that proved its order");
}
