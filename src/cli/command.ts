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
import { missing, unexpectedArgument } from "./line/usage-errors.ts";
import { descriptionOf, oclifArgs, oclifFlags, usageOf } from "./oclif-words.ts";
import type { CommonFlags, ResultForms } from "./result-options.ts";
import { tokensOf } from "./line/tokens.ts";
import { typedLine } from "./line/typed-line.ts";
import type { ReadFlags } from "./line/typed-words.ts";
import { flagValues, legibleFlags, positionalValues, readFlags, readPositionals } from "./line/typed-words.ts";
import type { RunContext } from "./run-context.ts";
import { runContextOf } from "./run-context.ts";

/** How a command reads: what it is, what it takes, how it can end, what it does and says. */
export interface CommandSpec<P extends Positionals, F extends FlagSpecs, S> extends ResultForms {
  /** One sentence, in the imperative or as an answer to "what do I see?". */
  readonly summary: string;
  readonly description?: string | undefined;
  /** Command lines after `partner`. */
  readonly examples: readonly string[];
  readonly args: P;
  readonly flags: F;
  /**
   * What stands in its usage for words after the arguments, such as `-- COMMAND` or `ID...`; without it there are none.
   */
  readonly rest?: string | undefined;
  /** How it can end besides the ways in which every command can. */
  readonly exits: readonly Ending[];
  /**
   * What else is wrong, where some of the line could not be read: a person hears of everything at once. Where all of it
   * could be read, `run` says the same.
   */
  besides?(input: LegibleInput<F>, session: S): Promise<readonly Failure[]>;
  /**
   * Asks a person for required flags that are missing, by their keys; undefined where nobody can be asked, and each gap
   * is named as a mistake.
   */
  askFor?(
    missing: readonly string[],
    input: LegibleInput<F>,
    session: S,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** What it returns is rendered in the format that was asked for; undefined where the session has said the result. */
  run(input: CommandInput<P, F>, session: S): Promise<Report | undefined>;
}

export interface CommandInput<P extends Positionals, F extends FlagSpecs> {
  readonly args: PositionalValues<P>;
  readonly flags: FlagValues<F>;
  readonly rest: readonly string[];
  /** True where a person was asked for something. */
  readonly asked: boolean;
}

/** What could be read of a command line. */
export interface LegibleInput<F extends FlagSpecs> {
  readonly flags: Partial<FlagValues<F>>;
  /** Flags that are named as wrong already: `--amount`. */
  readonly misread: ReadonlySet<string>;
}

/** What a command's run is given by the program: opened before it, closed after it whatever happens. */
export interface CommandSession {
  say(report: Report): Promise<void>;
  close(): Promise<void>;
}

/** @throws {Failure} usage where the flags contradict each other */
export type OpenSession<S> = (context: RunContext, flags: CommonFlags, forms: ResultForms) => S;

/** What was typed, each value as its own reader made it, by the keys of arguments and flags. */
export interface TypedValues {
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly rest: readonly string[];
}

/**
 * Puts in the place of values what they mean, where that takes more than the value itself to know; their types stay.
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

/** Gives the function that makes commands whose `run` is given such a session. */
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
      // We read the line ourselves. Where NODE_ENV is development or test, oclif warns a person otherwise.
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
      if (left.length > 0) violations.push(missing(left, id));
      if (spec.rest === undefined && rest[0] !== undefined) violations.push(unexpectedArgument(rest[0], id));
      if (violations.length > 0) throw combined([...violations, ...(await othersOf(spec, values, context, open))]);
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

/** What a person answers where flags are missing, and all else of the line could be read. */
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

/** What else a command finds wrong. That something is missing on this machine is told when the line is right. */
async function othersOf<F extends FlagSpecs, S extends CommandSession>(
  { besides, flags, ...forms }: Pick<CommandSpec<Positionals, F, S>, "besides" | "flags" | keyof ResultForms>,
  values: ReadFlags,
  context: RunContext,
  open: OpenSession<S>,
): Promise<readonly Failure[]> {
  let session: S | undefined;
  try {
    session = open(context, flagValues(commonFlags, values), forms);
    return (await besides?.({ flags: legibleFlags(flags, values), misread: values.misread }, session)) ?? [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.ending === "usage" ? [error] : [];
  } finally {
    await session?.close();
  }
}
