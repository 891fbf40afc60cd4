import { Failure } from "../values/failure.ts";
import { flagName } from "../values/text/flag-name.ts";
import { combined } from "../values/violation.ts";
import type { CommandSession, CommandSpec, OpenSession } from "./command-spec.ts";
import { commonFlags } from "./common-flags.ts";
import { earlyFlags } from "./line/early-flags.ts";
import type { Flags as FlagSpecs, Positionals } from "./line/input.ts";
import { tokensOf } from "./line/tokens.ts";
import { longName, typedLine } from "./line/typed-line.ts";
import type { ReadFlags } from "./line/typed-words.ts";
import { allowedWords, flagValues, legibleFlags, readFlags, readPositionals } from "./line/typed-words.ts";
import { missing, unexpectedArgument, valueWithoutFlag } from "./line/usage-errors.ts";
import type { ResultForms } from "./result-options.ts";
import type { RunContext } from "./run-context.ts";

/** The words of a command line, the flags that it may have, and the command's name. */
interface GivenLine {
  readonly flags: FlagSpecs;
  readonly argv: readonly string[];
  readonly id: string;
}

/**
 * The values of a command line, with a person's answers for missing flags.
 * @throws {Failure} usage; names all mistakes of the line at once
 */
export async function readLine<P extends Positionals, F extends FlagSpecs, S extends CommandSession>(
  spec: CommandSpec<P, F, S>,
  { flags, argv, id }: GivenLine,
  context: RunContext,
  open: OpenSession<S>,
) {
  const tokens = tokensOf(argv, flags);
  context.early = earlyFlags(tokens, context.host);
  const typed = typedLine(tokens, flags, id);
  if (typed.isUnclear) throw combined(typed.violations);
  let values = readFlags(typed.flags, flags);
  const args = readPositionals(typed.words, spec.args, values);
  const rest = typed.words.slice(Object.keys(spec.args).length);
  const violations = [...typed.violations, ...values.violations, ...args.violations];
  const asked = violations.length === 0 ? await askedFor(spec, values, args.missing, context, open) : undefined;
  if (asked !== undefined) values = { ...values, values: { ...values.values, ...asked }, missing: [] };
  const left = [...args.missing, ...values.missing];
  const extra = spec.rest === undefined ? rest : [];
  const unflagged = unflaggedValue(left, extra, flags);
  if (unflagged !== undefined) violations.push(unflagged);
  else {
    if (left.length > 0) violations.push(missing(left, id, allowedWords(spec.args), exampleLike(spec, typed.flags)));
    if (extra[0] !== undefined) violations.push(unexpectedArgument(extra[0], id, Object.keys(flags).map(longName)));
  }
  if (violations.length > 0) throw combined([...violations, ...(await furtherViolations(spec, values, context, open))]);
  return { args, values, rest, asked: asked !== undefined };
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
