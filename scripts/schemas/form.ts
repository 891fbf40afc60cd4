import type { Field, FieldKind } from "../../src/values/field.ts";

/** A JSON schema, draft 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

export const dialect = "https://json-schema.org/draft/2020-12/schema";

export const text: Schema = { type: "string" };
export const amount: Schema = { type: "number" };
export const count: Schema = { type: "integer", minimum: 0 };
export const flag: Schema = { type: "boolean" };
/** Any JSON: what somebody else says. */
export const anything: Schema = {};
export const anyObject: Schema = { type: "object" };
/** A moment in the service's zone, as this program writes it. */
export const moment: Schema = {
  type: "string",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?\\+03:00$",
};
export const day: Schema = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d$" };
export const hash: Schema = { type: "string", pattern: "^[0-9a-f]{64}$" };

export function oneOf(...words: readonly string[]): Schema {
  return { enum: words };
}

/** The same, or null. */
export function nullable(schema: Schema): Schema {
  const { type, enum: words } = schema;
  if (Array.isArray(words)) return { ...schema, enum: [...words, null] };
  if (typeof type === "string") return { ...schema, type: [type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

export function listOf(items: Schema, description?: string): Schema {
  return { ...said(description), type: "array", items };
}

export function either(...schemas: readonly Schema[]): Schema {
  return { anyOf: schemas };
}

export function withDescription(schema: Schema, description: string): Schema {
  return { description, ...schema };
}

interface Shape {
  readonly description?: string | undefined;
  /** Fields that are there in some cases only. */
  readonly optional?: readonly string[] | undefined;
  /** True where fields come that nobody documented. */
  readonly isOpen?: boolean | undefined;
}

/** An object with these fields, all of them there. */
export function object(properties: Readonly<Record<string, Schema>>, shape: Shape = {}): Schema {
  const required = Object.keys(properties).filter((name) => shape.optional?.includes(name) !== true);
  return {
    ...said(shape.description),
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    properties,
    // Said where others come today; elsewhere a new field breaks no schema, and a test's output has none.
    ...(shape.isOpen === true ? { additionalProperties: true } : {}),
  };
}

interface RowShape extends Shape {
  /** Columns that can be null. */
  readonly nullable?: readonly string[] | undefined;
  /** What a column's kind does not say. */
  readonly precisely?: Readonly<Record<string, Schema>> | undefined;
}

const ownKinds: Readonly<Record<FieldKind, Schema>> = { text, id: text, amount, time: text, count, flag };

/** A row of this program, by the columns of its report. */
export function rowOf(
  fields: readonly Field[],
  { nullable: nullables = [], precisely = {}, ...shape }: RowShape = {},
): Schema {
  const known = new Set(fields.map(({ name }) => name));
  const strange = [...nullables, ...Object.keys(precisely), ...(shape.optional ?? [])].find((name) => !known.has(name));
  if (strange !== undefined) throw new Error(`There is no column ${strange}`);
  const entries = fields.map(({ name, kind }): [string, Schema] => {
    const own = precisely[name] ?? ownKinds[kind];
    return [name, nullables.includes(name) ? nullable(own) : own];
  });
  return object(Object.fromEntries(entries), shape);
}

/**
 * An amount of the service: a number with its own digits, null where it said nothing. Text that is no number stays the
 * text that it is.
 */
const serviceAmount: Schema = {
  type: ["number", "null", "string"],
  not: { type: "string", pattern: "^(-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?)?$" },
};
const serviceText: Schema = { type: ["string", "null"] };

/** What the service sent: documented fields may be missing, and others may come. */
export function serviceRow(fields: readonly Field[], description?: string): Schema {
  return object(serviceProperties(fields), { description, optional: fields.map(({ name }) => name), isOpen: true });
}

export function serviceProperties(fields: readonly Field[]): Record<string, Schema> {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, kind === "amount" ? serviceAmount : serviceText]));
}

function said(description: string | undefined): Schema {
  return description === undefined ? {} : { description };
}
