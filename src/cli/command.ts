import { Command } from "@oclif/core/command";
import type { Report } from "../report/report.ts";
import type { Ending } from "../values/failure.ts";
import { Failure } from "../values/failure.ts";
import { combined } from "../values/violation.ts";
import { flagName } from "../values/text/flag-name.ts";
import { commonFlags, flagsOfEvery } from "./common-flags.ts";
import { earlyFlags } from "./line/early-flags.ts";
import { everyCommandEndsIn } from "./endings.ts";
import type { FlagValues, Flags as FlagSpecs, Positionals, PositionalValues } from "./line/input.ts";
import { missing, unexpectedArgument, valueWithoutFlag } from "./line/usage-errors.ts";
import { descriptionOf, oclifArgs, oclifFlags, usageOf } from "./oclif-words.ts";
import type { CommonFlags, ResultForms } from "./result-options.ts";
import { tokensOf } from "./line/tokens.ts";
import { longName, typedLine } from "./line/typed-line.ts";
import type { ReadFlags } from "./line/typed-words.ts";
import {
  flagValues,
  legibleFlags,
  positionalValues,
  readFlags,
  readPositionals,
  allowedWords,
} from "./line/typed-words.ts";
import type { RunContext } from "./run-context.ts";
import { runContextOf } from "./run-context.ts";

/** The definition of a command: help, arguments, flags, exit codes and action. */
export interface CommandSpec<P extends Positionals, F extends FlagSpecs, S> extends ResultForms {
  /** One sentence, in the imperative or as an answer to "what do I see?". */
  readonly summary: string;
  readonly description?: string | undefined;
  /** Command lines after `partner`. */
  readonly examples: readonly string[];
  readonly args: P;
  readonly flags: F;
  /**
   * Words after the arguments in its usage line, such as `-- COMMAND` or `ID...`; undefined where there are none.
   */
  readonly rest?: string | undefined;
  /** Endings in addition to those of every command. */
  readonly exits: readonly Ending[];
  /**
   * Further violations, where a part of the line could not be read: a person then learns of all of them at once. Where
   * the whole line could be read, `run` reports the same ones.
   */
  validate?(input: LegibleInput<F>, session: S): Promise<readonly Failure[]>;
  /**
   * Asks a person for missing required flags, by their keys. Returns undefined where there is no person to ask: each
   * missing flag is then a violation.
   */
  askFor?(
    missing: readonly string[],
    input: LegibleInput<F>,
    session: S,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Returns the report to render in the chosen format; undefined where the session has already written the result. */
  run(input: CommandInput<P, F>, session: S): Promise<Report | undefined>;
}

export interface CommandInput<P extends Positionals, F extends FlagSpecs> {
  readonly args: PositionalValues<P>;
  readonly flags: FlagValues<F>;
  readonly rest: readonly string[];
  /** True where a person was asked for a value. */
  readonly asked: boolean;
}

/** The part of a command line that could be read. */
export interface LegibleInput<F extends FlagSpecs> {
  readonly flags: Partial<FlagValues<F>>;
  /** Flags that are reported as wrong already: `--amount`. */
  readonly misread: ReadonlySet<string>;
}

/** What the program opens before a command's run, and closes after it in any case. */
export interface CommandSession {
  say(report: Report): Promise<void>;
  close(): Promise<void>;
}

/** @throws {Failure} usage where the flags contradict each other */
export type OpenSession<S> = (context: RunContext, flags: CommonFlags, forms: ResultForms) => S;

/** The parsed values, by the keys of arguments and flags. */
export interface TypedValues {
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly rest: readonly string[];
}

/**
 * Replaces values whose meaning depends on more than their text; their types stay.
 * @throws {Failure} usage
 */
export type Settle<S> = (
  spec: Pick<CommandSpec<Positionals, FlagSpecs, S>, "args" | "flags" | "rest">,
  typed: TypedValues,
  session: S,
) => Promise<TypedValues>;

/** What the commands of a program share. */
interface Shared<S> {
  readonly open: OpenSession<S>;
  readonly settle: Settle<S>;
}

/** Makes the function that defines commands with such a session. */
export function commandsWith<S extends CommandSession>(open: OpenSession<S>, settle: Settle<S>) {
  return <P extends Positionals, F extends FlagSpecs>(spec: CommandSpec<P, F, S>): typeof Command =>
    commandOf(spec, { open, settle });
}

/**
 * Makes an oclif command of a spec: the one place where oclif's parser, the session and the report meet. Its `run`
 * throws all mistakes of a line at once.
 */
function commandOf<P extends Positionals, F extends FlagSpecs, S extends CommandSession>(
  spec: CommandSpec<P, F, S>,
  { open, settle }: Shared<S>,
): typeof Command {
  const { args: positionals, flags: ownFlags } = spec;
  const flags = { ...ownFlags, ...flagsOfEvery(spec.fileFormats) };
  return class extends Command {
    static override summary = spec.summary;
    static override description = descriptionOf(spec.description, spec.fileFormats);
    static override examples = spec.examples.map((example) => `$ <%= config.bin %> ${example}`);
    static override usage = usageOf(spec);
    static override args = oclifArgs(positionals);
    static override flags = oclifFlags(flags);
    static override strict = spec.rest === undefined;
    static exits = [...new Set([...everyCommandEndsIn, ...spec.exits])];

    override async run(): Promise<void> {
      // We parse the line ourselves. oclif would warn of that where NODE_ENV is development or test.
      this.parsed = true;
      const context = runContextOf(this.config);
      const id = (this.id ?? "").replaceAll(":", " ");
      const tokens = tokensOf(this.argv, flags);
      context.early = earlyFlags(tokens, context.host);
      const typed = typedLine(tokens, flags, id);
      if (typed.isUnclear) throw combined(typed.violations);
      let values = readFlags(typed.flags, flags);
      const args = readPositionals(typed.words, positionals, values);
      const rest = typed.words.slice(Object.keys(positionals).length);
      const violations = [...typed.violations, ...values.violations, ...args.violations];
      const asked = violations.length === 0 ? await askedFor(spec, values, args.missing, context, open) : undefined;
      if (asked !== undefined) values = { ...values, values: { ...values.values, ...asked }, missing: [] };
      const left = [...args.missing, ...values.missing];
      const extra = spec.rest === undefined ? rest : [];
      const unflagged = unflaggedValue(left, extra, flags);
      if (unflagged !== undefined) violations.push(unflagged);
      else {
        if (left.length > 0)
          violations.push(missing(left, id, allowedWords(positionals), exampleLike(spec, typed.flags)));
        if (extra[0] !== undefined) violations.push(unexpectedArgument(extra[0], id, Object.keys(flags).map(longName)));
      }
      if (violations.length > 0)
        throw combined([...violations, ...(await furtherViolations(spec, values, context, open))]);
      const session = open(context, flagValues(commonFlags, values), spec);
      try {
        const typedValues = { args: args.values, flags: values.values, rest };
        const settled = await settle({ args: positionals, flags: ownFlags, rest: spec.rest }, typedValues, session);
        const input = {
          args: positionalValues(positionals, { ...args, values: settled.args }),
          flags: flagValues(ownFlags, { ...values, values: settled.flags }),
          rest: settled.rest,
          asked: asked !== undefined,
        };
        const report = await spec.run(input, session);
        if (report !== undefined) await session.say(report);
      } finally {
        await session.close();
      }
    }
  };
}

/** The example with most of the flags that were typed; the first one of several. */
function exampleLike(
  { examples, flags }: Pick<CommandSpec<Positionals, FlagSpecs, never>, "examples" | "flags">,
  typed: ReadonlyMap<string, unknown>,
): string | undefined {
  const names = Object.keys(flags).flatMap((key) => (typed.has(key) ? [`--${flagName(key)}`] : []));
  const shared = (example: string) => names.filter((name) => example.split(" ").includes(name)).length;
  return examples.toSorted((one, other) => shared(other) - shared(one))[0];
}

/** A person's answers for missing flags, where the rest of the line could be read. */
async function askedFor<P extends Positionals, F extends FlagSpecs, S extends CommandSession>(
  spec: CommandSpec<P, F, S>,
  values: ReadFlags,
  missingArguments: readonly string[],
  context: RunContext,
  open: OpenSession<S>,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (spec.askFor === undefined || values.missing.length === 0 || missingArguments.length > 0) return undefined;
  const session = open(context, flagValues(commonFlags, values), spec);
  try {
    const missing = Object.keys(spec.flags).filter((key) => values.missing.includes(`--${flagName(key)}`));
    return await spec.askFor(missing, { flags: legibleFlags(spec.flags, values), misread: values.misread }, session);
  } finally {
    await session.close();
  }
}

/** The command's other violations. A missing setup of this machine is reported only once the line is right. */
async function furtherViolations<F extends FlagSpecs, S extends CommandSession>(
  { validate, flags, ...forms }: Pick<CommandSpec<Positionals, F, S>, "validate" | "flags" | keyof ResultForms>,
  values: ReadFlags,
  context: RunContext,
  open: OpenSession<S>,
): Promise<readonly Failure[]> {
  let session: S | undefined;
  try {
    session = open(context, flagValues(commonFlags, values), forms);
    return (await validate?.({ flags: legibleFlags(flags, values), misread: values.misread }, session)) ?? [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.ending === "usage" ? [error] : [];
  } finally {
    await session?.close();
  }
}

/** The one violation to report where one flag is missing and the one surplus word would do as its value. */
function unflaggedValue(
  missingNames: readonly string[],
  extra: readonly string[],
  flags: FlagSpecs,
): Failure | undefined {
  const [name = "", word = ""] = [missingNames[0], extra[0]];
  const spec = Object.entries(flags).find(([key]) => `--${flagName(key)}` === name)?.[1];
  if (missingNames.length !== 1 || extra.length !== 1 || spec?.kind !== "option" || !/^\w/.test(word)) return undefined;
  try {
    spec.read(word, name);
    return valueWithoutFlag(name, word);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}
