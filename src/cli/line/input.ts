import { closest } from "../../values/text/closest.ts";
import { Failure } from "../../values/failure.ts";

/** A flag with a value. `read` parses what was typed and throws a usage `Failure` for an invalid value. */
export interface Option<T = unknown, Required extends boolean = boolean> {
  readonly kind: "option";
  readonly summary: string;
  readonly char?: string | undefined;
  /** The value's placeholder in the help: `--month YYYY-MM`. */
  readonly value: string;
  /** All valid values, where these are too many for the placeholder. */
  readonly words?: readonly string[] | undefined;
  readonly required: Required;
  /** The key of the toggle that replaces it: one of the two is required. */
  readonly unless?: string | undefined;
  readonly many: boolean;
  readonly group?: string | undefined;
  read(text: string, name: string): T;
  /** Reads one of the values, where `many` is true. */
  readonly each?: ((text: string, name: string) => unknown) | undefined;
}

/** A flag without a value. Some accept a word after `=`: `--debug=full`. */
export interface Toggle<Word extends string = string> {
  readonly kind: "toggle";
  readonly summary: string;
  readonly words?: readonly Word[] | undefined;
  readonly char?: string | undefined;
  readonly group?: string | undefined;
}

/** An argument identified by its position. */
export interface Positional<T = unknown, Required extends boolean = boolean> {
  readonly kind: "positional";
  readonly summary: string;
  readonly required: Required;
  /** The key of the toggle that replaces it: one of the two is required. */
  readonly unless?: string | undefined;
  /** All valid values, where they are few. */
  readonly words?: readonly string[] | undefined;
  read(text: string, name: string): T;
}

export type Flags = Readonly<Record<string, Option | Toggle>>;
export type Positionals = Readonly<Record<string, Positional>>;

export type FlagValues<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends Toggle<infer Word>
    ? boolean | Word
    : F[K] extends Option<infer T, infer Required>
      ? Required extends true
        ? T
        : T | undefined
      : never;
};

export type PositionalValues<P extends Positionals> = {
  readonly [K in keyof P]: P[K] extends Positional<infer T, infer Required>
    ? Required extends true
      ? T
      : T | undefined
    : never;
};

type OptionSpec<T> = Omit<Option<T>, "kind" | "required" | "many" | "each">;

/** An optional flag with a value. */
export function option<T>(spec: OptionSpec<T>): Option<T, false> {
  return { ...spec, kind: "option", required: false, many: false };
}

/** A required flag with a value. */
export function requiredOption<T>(spec: OptionSpec<T>): Option<T, true> {
  return { ...spec, kind: "option", required: true, many: false };
}

/** An option that may be given several times; its value is the list. */
export function repeatedOption<T>(spec: OptionSpec<T>): Option<readonly T[], false> {
  const { read } = spec;
  return { ...spec, kind: "option", required: false, many: true, each: read, read: (text, name) => [read(text, name)] };
}

/** A flag without a value. */
export function toggle(spec: Omit<Toggle<never>, "kind" | "words">): Toggle<never> {
  return { ...spec, kind: "toggle" };
}

/** A flag that is given alone, or with one of these words as its value. */
export function wordedToggle<const Word extends string>(
  spec: Omit<Toggle, "kind" | "words"> & { readonly words: readonly Word[] },
): Toggle<Word> {
  return { ...spec, kind: "toggle" };
}

/** A required argument. */
export function positional<T>(spec: Omit<Positional<T>, "kind" | "required">): Positional<T, true> {
  return { ...spec, kind: "positional", required: true };
}

/** An optional argument. */
export function optionalPositional<T>(spec: Omit<Positional<T>, "kind" | "required">): Positional<T, false> {
  return { ...spec, kind: "positional", required: false };
}

/**
 * Any text that isn't empty and has no NUL character, which a file name can't have.
 * @throws {Failure} usage
 */
export function anyText(text: string, name: string): string {
  if (text === "") throw new Failure("usage", `${name} is empty.`, { hint: `Give it a value, or leave it out.` });
  if (!text.includes("\0")) return text;
  throw new Failure("usage", `${name} has a NUL character in it.`, { hint: "Type it again." });
}

/**
 * The same for a required value.
 * @throws {Failure} usage
 */
export function neededText(text: string, name: string): string {
  if (text === "") throw new Failure("usage", `${name} is empty.`, { hint: "It needs a value." });
  return anyText(text, name);
}

/**
 * One of these words.
 * @returns a reader that throws a usage `Failure` for any other text
 */
export function oneOf<const T extends string>(...values: readonly T[]): (text: string, name: string) => T {
  return (text, name) => {
    const value = values.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    const flag = name.startsWith("-") ? `${name} ` : "";
    const near = closest(text, values);
    throw new Failure("usage", `${name} takes one of ${values.join(", ")}.`, {
      hint: near === undefined ? `For example: ${flag}${values[0]}` : `Did you mean ${flag}${near}?`,
    });
  };
}

/**
 * A whole number from `min` to `max`, for counts and ports; money is never read with this.
 * @returns a reader that throws a usage `Failure` for any other text
 */
export function wholeNumber(min: number, max: number): (text: string, name: string) => number {
  return (text, name) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Failure("usage", `${name} takes a whole number from ${min} to ${max}.`, {
      hint: `For example: ${name} ${min}`,
    });
  };
}
