/**
 * A documented field of a resource: its name on the wire and the kind of its value. Lists of these give the report's
 * columns, the simulator's answers and the machine formats' headers.
 */
export interface Field {
  /** The service's own name. */
  readonly name: string;
  readonly kind: FieldKind;
  /** A table's heading; default: the name in words. */
  readonly title?: string | undefined;
  /** The column's role; `roleOf` has the default. */
  readonly role?: Role | undefined;
  /** One side of an account: on a narrow terminal, both sides become one signed amount. */
  readonly side?: "credit" | "debit" | undefined;
  /** True for a text that says what to do: it is never cut, but wrapped where the terminal is too narrow. */
  readonly whole?: boolean | undefined;
  /** How a terminal may shorten it. */
  readonly shortens?: Shortening | undefined;
  /** Names of fields to show on a terminal where this one is empty: the first that isn't. */
  readonly orElse?: readonly string[] | undefined;
  /** The field that a terminal shows after an arrow: from whom to whom. */
  readonly arrowTo?: string | undefined;
  /** True to omit it from default tables (machine formats always have it). */
  readonly machineOnly?: boolean | undefined;
}

/**
 * - `text`: words that a person wrote; guarded in CSV, made visible on terminals
 * - `id`: references, account numbers and codes: text that is never grouped
 * - `amount`: money; grouped and right-aligned for people, exact digits for machines
 * - `time`: a day or a moment as the service wrote it; never converted
 * - `count`: a whole number that isn't money
 * - `flag`: true or false
 */
export type FieldKind = "text" | "id" | "amount" | "time" | "count" | "flag";

/**
 * What a column says about its row. A narrow terminal omits details first; every other column stays, on the line or
 * below it.
 */
export type Role = "when" | "what" | "who" | "money" | "state" | "detail";

/**
 * - `account`: to `0560…1200`, if no two look alike
 * - `id`: to its beginning, if no two begin alike
 * - `minute`: to its day and minute, or only the time where all are of today
 * - `day`: to its day
 */
export type Shortening = "account" | "id" | "minute" | "day";

const rolesByKind: Readonly<Record<FieldKind, Role>> = {
  text: "what",
  id: "detail",
  amount: "money",
  time: "when",
  count: "detail",
  flag: "detail",
};

/** The column's role, or the default of its kind. */
export function roleOf({ role, kind }: Field): Role {
  return role ?? rolesByKind[kind];
}

/** The column that distinguishes rows of several profiles. */
export const profileField = { name: "profile", kind: "id", role: "what" } as const satisfies Field;
