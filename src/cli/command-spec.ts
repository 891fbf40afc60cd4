import type { Report } from "../report/report.ts";
import type { Ending, Failure } from "../values/failure.ts";
import type { FlagValues, Flags as FlagSpecs, Positionals, PositionalValues } from "./line/input.ts";
import type { CommonFlags, ResultForms } from "./result-options.ts";
import type { RunContext } from "./run-context.ts";

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
