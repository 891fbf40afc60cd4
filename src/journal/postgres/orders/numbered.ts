import type { PostgresValue, Statement } from "../../../host/databases/postgres.ts";
import type { EventRow, MovementRow } from "../../history/row.ts";
import { eventColumns, movementColumns, sealRow } from "../../history/row.ts";
import { turnSlot } from "../lock-slots.ts";

/**
 * Rows whose numbers the server gives when they are written: history has one order without gaps, and numbers are given
 * in the order of the server's log. Whoever numbers has the turn until the commit, which does not wait for the disk.
 * What is written in the turn is one statement, planned before the turn comes. The server makes the seals, too, out of
 * the same text as this program.
 */

/** Makes a parameter of a value: `$1`. */
type Place = (value: PostgresValue) => string;

/** SQL that writes something, with the numbers that were given last: those of the row `given`. */
export type SqlPart = (place: Place) => string;

const [movements, events] = ["(SELECT movements FROM given)", "(SELECT events FROM given)"];
/** A statement of more parts takes longer to plan than several do. */
const maxParts = 32;
/** Others queue at this row, one after the other. At a row that changes, each commit would wake up all of them. */
const turn = `turn AS MATERIALIZED (SELECT slot FROM partner.lock_slots WHERE slot = ${turnSlot} FOR UPDATE)`;

/**
 * Statements that take the next numbers and write all parts; no two of those may change the same row. The row of the
 * last statement has the number of the last movement as `movement`, and `number` and `seal` of the last line.
 * @param added how many movements there are among the parts
 * @param lines how many lines of history there are; the last part is one
 */
export function numberedStatements(added: number, lines: number, parts: readonly SqlPart[]): Statement[] {
  const pages = Array.from({ length: Math.ceil(parts.length / maxParts) }, (_, page) =>
    parts.slice(page * maxParts, (page + 1) * maxParts),
  );
  return pages.map((page, index) => {
    const values: PostgresValue[] = [];
    const place: Place = (value) => `$${values.push(value)}`;
    const numbers =
      index > 0
        ? "given AS MATERIALIZED (SELECT movements, events FROM partner.journal)"
        : `${turn}, given AS (
  UPDATE partner.journal j SET movements = j.movements + ${place(added)}, events = j.events + ${place(lines)} FROM turn
  RETURNING j.movements, j.events)`;
    const written = page.map((part, at) => `part${at} AS (${part(place)})`);
    const isLast = index === pages.length - 1 && lines > 0;
    const found = isLast ? `, last.* FROM given, part${page.length - 1} AS last` : " FROM given";
    return { text: `WITH ${[numbers, ...written].join(",\n")}\nSELECT given.movements AS movement${found}`, values };
  });
}

/** SQL for a movement's number in a parameter, where 0 means the last number given. */
export function numberOr(parameter: string): string {
  return `coalesce(nullif(${parameter}::bigint, 0), ${movements})`;
}

/** @param before how many are numbered after it in the same transaction */
export function insertMovement(row: MovementRow, before: number): SqlPart {
  const number = `${movements} - ${before}`;
  return (place) => insertNumbered("movements", { names: Object.keys(movementColumns), row, numbers: [number], place });
}

/** The same for a line of history; movement 0 means the last numbered one. */
export function insertEvent(row: Omit<EventRow, "number">, before: number): SqlPart {
  const names = Object.keys(eventColumns);
  return (place) => {
    const numbers = [`${events} - ${before}`, numberOr(place(row.movement))];
    return insertNumbered("events", { names, row: { ...row, number: 0 }, numbers, place });
  };
}

interface Numbered {
  /** In the order in which they are sealed; the numbered ones come first. */
  readonly names: readonly string[];
  readonly row: MovementRow | EventRow;
  /** SQL for the numbers of the first names. */
  readonly numbers: readonly string[];
  readonly place: Place;
}

function insertNumbered(table: "movements" | "events", { names, row, numbers, place }: Numbered): string {
  const stored = sealRow(table === "movements" ? movementColumns : eventColumns, row);
  const cells = names.slice(numbers.length).map((name): string | number | null => {
    const value: unknown = Reflect.get(stored, name);
    return typeof value === "string" || typeof value === "number" ? value : null;
  });
  const places = cells.map((cell) => place(cell));
  const rest = `${place(`,${JSON.stringify(cells).slice(1)}`)}::text`;
  const sealed = `'[' || ${numbers.map((number) => `(${number})`).join(" || ',' || ")} || ${rest}`;
  return `INSERT INTO partner.${table} (${[...names, "seal"].join(", ")})
  VALUES (${[...numbers, ...places].join(", ")}, encode(sha256(convert_to(${sealed}, 'UTF8')), 'hex'))
  RETURNING number, seal`;
}
