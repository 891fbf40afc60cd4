import { Failure } from "../../values/failure.ts";
import { flagName } from "../../values/text/flag-name.ts";
import type { Flags, FlagValues, Positional, Positionals, PositionalValues } from "./input.ts";
import type { TypedLine } from "./typed-line.ts";
import { longName } from "./typed-line.ts";

/** The parsed words of a command line, and all violations in them. */
export interface ReadWords {
  readonly values: Readonly<Record<string, unknown>>;
  readonly violations: readonly Failure[];
  /** Names of required flags or arguments that are missing. */
  readonly missing: readonly string[];
}

export interface ReadFlags extends ReadWords {
  /** Flags whose value could not be read: `--amount`. */
  readonly misread: ReadonlySet<string>;
}

interface Reading {
  readonly values: Record<string, unknown>;
  readonly violations: Failure[];
  readonly missing: string[];
}

/** Parses typed flags, each by its own reader. */
export function readFlags(typed: TypedLine["flags"], flags: Flags): ReadFlags {
  const reading: Reading = { values: {}, violations: [], missing: [] };
  for (const [key, flag] of Object.entries(flags)) {
    const name = longName(key);
    const texts = typed.get(key);
    if (flag.kind === "toggle") reading.values[key] = texts === undefined ? false : (texts.at(-1) ?? true);
    else if (texts?.[0] === undefined) {
      // A flag without its value was reported already.
      const isNeeded = flag.required || (flag.unless !== undefined && !typed.has(flag.unless));
      if (isNeeded && texts === undefined) reading.missing.push(name);
    } else {
      const [text] = texts;
      take(reading, key, () => (flag.many ? texts.flatMap((each) => flag.read(each, name)) : flag.read(text, name)));
    }
  }
  const misread = Object.keys(flags).filter((key) => typed.has(key) && !Object.hasOwn(reading.values, key));
  return { ...reading, misread: new Set(misread.map(longName)) };
}

/**
 * The same for arguments, by position.
 * @param flags the parsed flags, some of which replace an argument
 */
export function readPositionals(words: readonly string[], positionals: Positionals, flags: ReadWords): ReadWords {
  const reading: Reading = { values: {}, violations: [], missing: [] };
  for (const [index, [key, positional]] of Object.entries(positionals).entries()) {
    const name = flagName(key).toUpperCase();
    const word = words[index];
    if (word !== undefined) take(reading, key, () => positional.read(word, name));
    else if (positional.required || isNeeded(positional, flags)) reading.missing.push(name);
  }
  return reading;
}

/** The valid values of arguments that take one of a few, by the argument's name. */
export function allowedWords(positionals: Positionals): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(positionals).flatMap(([key, { words }]) =>
      words === undefined ? [] : [[flagName(key).toUpperCase(), words] as const],
    ),
  );
}

function isNeeded({ unless }: Positional, { values }: ReadWords): boolean {
  return unless !== undefined && values[unless] !== true;
}

/**
 * The values of these flags with their types, once nothing is missing or wrong.
 * @throws {Error} where something is: a bug
 */
export function flagValues<F extends Flags>(flags: F, { values }: ReadWords): FlagValues<F> {
  if (isOfFlags(values, flags)) return values;
  throw new Error("Flags were used before their mistakes were reported.");
}

/**
 * What could be read of these flags.
 * @throws {Error} where they were not read: a bug
 */
export function legibleFlags<F extends Flags>(flags: F, { values }: ReadWords): Partial<FlagValues<F>> {
  if (isPartOfFlags(values, flags)) return values;
  throw new Error("Flags were asked for that were not read.");
}

/**
 * The values of these arguments with their types.
 * @throws {Error} where some are missing: a bug
 */
export function positionalValues<P extends Positionals>(positionals: P, { values }: ReadWords): PositionalValues<P> {
  if (isOfPositionals(values, positionals)) return values;
  throw new Error("Arguments were used before their mistakes were reported.");
}

function isOfFlags<F extends Flags>(values: object, flags: F): values is FlagValues<F> {
  return Object.entries(flags).every(([key, flag]) => key in values || (flag.kind === "option" && !flag.required));
}

/** Toggles always have a value. */
function isPartOfFlags<F extends Flags>(values: object, flags: F): values is Partial<FlagValues<F>> {
  return Object.entries(flags).every(([key, flag]) => key in values || flag.kind === "option");
}

function isOfPositionals<P extends Positionals>(values: object, positionals: P): values is PositionalValues<P> {
  return Object.entries(positionals).every(([key, positional]) => key in values || !positional.required);
}

function take(into: Reading, key: string, read: () => unknown): void {
  try {
    into.values[key] = read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    into.violations.push(error);
  }
}
