/**
 * A documented field of a resource: its name on the wire and what kind of thing it holds. The report's columns, the
 * simulator's answers and the machine formats' headers are all read from lists of these.
 */
export interface Field {
  /** The service's own name. */
  readonly name: string;
  readonly kind: FieldKind;
  /** A table's heading; the name in words where left out. */
  readonly title?: string | undefined;
  /** The column's role; `roleOf` has the default. */
  readonly role?: Role | undefined;
  /** One side of an account: on a narrow terminal, both sides become one signed amount. */
  readonly side?: "credit" | "debit" | undefined;
  /** A text that says what to do: never cut, but wrapped below its row where a line of the terminal is too short. */
  readonly whole?: boolean | undefined;
  /** How a terminal may write it shorter. */
  readonly shortens?: Shortening | undefined;
  /** Names of the fields that a terminal shows in its place where it is empty, the first that is not. */
  readonly orElse?: readonly string[] | undefined;
  /** The field that a terminal shows behind an arrow: who gets it from whom. */
  readonly arrowTo?: string | undefined;
  /** Left out of the default table (machine formats always have it). */
  readonly machineOnly?: boolean | undefined;
}

/**
 * - `text`: words that a person wrote; guarded in CSV, made visible on terminals
 * - `id`: references, account numbers and codes: text that is never grouped
 * - `amount`: money; grouped and right-aligned for people, exact digits for machines
 * - `time`: a day or a moment as the service wrote it; never converted
 * - `count`: a whole number that is no money
 * - `flag`: true or false
 */
export type FieldKind = "text" | "id" | "amount" | "time" | "count" | "flag";

/**
 * What a column says about its row. A narrow terminal omits details first; every other column stays, on the line or
 * below it.
 */
export type Role = "when" | "what" | "who" | "money" | "state" | "detail";

/**
 * - `account`: to `0560…1200`, where no two would look alike
 * - `id`: to its beginning, where no two begin alike
 * - `minute`: to its day and minute; to the time alone where all are of today
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
