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
  /** Always shown to its end, also where a line of the terminal is too short for it. */
  readonly whole?: boolean | undefined;
  /** Left out before amounts are, where a line of the terminal is too short, though it stands first. */
  readonly yields?: boolean | undefined;
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
