import type { PostgresValue, Statement } from "../../../host/databases/postgres.ts";
import type { EventRow, MovementRow } from "../../row.ts";
import { eventColumns, movementColumns, sealRow } from "../../row.ts";

/**
 * Rows whose numbers the server gives when they are written. Numbers are taken, used and committed in one round trip:
 * no host waits for another host's network before the next number is given. Seals are made there, too, out of the same
 * text as here.
 */
const [movements, events] = ["(SELECT movements FROM partner.journal)", "(SELECT events FROM partner.journal)"];

/** Takes the next numbers, and with them the turn: others wait here until this transaction is over. */
export function takeNumbers(added: number, lines: number): Statement {
  const text = "UPDATE partner.journal SET movements = movements + $1, events = events + $2";
  return { text, values: [added, lines] };
}

/** SQL for a movement's number that is a parameter: 0 stands for the number that was given last. */
export function numberOr(parameter: string): string {
  return `coalesce(nullif(${parameter}::bigint, 0), ${movements})`;
}

/** @param before how many were numbered after it in the same transaction */
export function insertMovement(row: MovementRow, before: number): Statement {
  const number = `${movements} - ${before}`;
  return insertNumbered("movements", { names: Object.keys(movementColumns), row, numbers: [number], values: [] });
}

/** The same for a line of history; movement 0 means the last numbered one. */
export function insertEvent(row: Omit<EventRow, "number">, before: number): Statement {
  const numbers = [`${events} - ${before}`, numberOr("$1")];
  const numbered = { ...row, number: 0 };
  return insertNumbered("events", { names: Object.keys(eventColumns), row: numbered, numbers, values: [row.movement] });
}

interface Numbered {
  /** In the order in which they are sealed; those that have numbers come first. */
  readonly names: readonly string[];
  readonly row: MovementRow | EventRow;
  /** SQL. */
  readonly numbers: readonly string[];
  /** The parameters that they use. */
  readonly values: readonly PostgresValue[];
}

function insertNumbered(table: "movements" | "events", { names, row, numbers, values }: Numbered): Statement {
  const stored = sealRow(table === "movements" ? movementColumns : eventColumns, row);
  const cells = names.slice(numbers.length).map((name): string | number | null => {
    const value: unknown = Reflect.get(stored, name);
    return typeof value === "string" || typeof value === "number" ? value : null;
  });
  const places = cells.map((_, index) => `$${values.length + index + 1}`);
  const rest = `$${values.length + cells.length + 1}::text`;
  const sealed = `'[' || ${numbers.map((number) => `(${number})`).join(" || ',' || ")} || ${rest}`;
  return {
    text: `INSERT INTO partner.${table} (${[...names, "seal"].join(", ")})
  VALUES (${[...numbers, ...places].join(", ")}, encode(sha256(convert_to(${sealed}, 'UTF8')), 'hex'))
  RETURNING number, seal`,
    values: [...values, ...cells, `,${JSON.stringify(cells).slice(1)}`],
  };
}
