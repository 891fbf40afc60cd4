import { Command } from "@oclif/core/command";
import type { CommandSession, CommandSpec, OpenSession } from "./command-spec.ts";
import { commonFlags, flagsOfEvery } from "./common-flags.ts";
import { everyCommandEndsIn } from "./endings.ts";
import { readLine } from "./given-line.ts";
import type { Flags as FlagSpecs, Positionals } from "./line/input.ts";
import { descriptionOf, oclifArgs, oclifFlags, usageOf } from "./oclif-words.ts";
import { flagValues, positionalValues } from "./line/typed-words.ts";
import { runContextOf } from "./run-context.ts";

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
 * Makes an oclif command of a spec: the one place where oclif's parser, the session and the report meet.
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
      const { args, values, rest, asked } = await readLine(spec, { flags, argv: this.argv, id }, context, open);
      const session = open(context, flagValues(commonFlags, values), spec);
      try {
        const typedValues = { args: args.values, flags: values.values, rest };
        const settled = await settle({ args: positionals, flags: ownFlags, rest: spec.rest }, typedValues, session);
        const input = {
          args: positionalValues(positionals, { ...args, values: settled.args }),
          flags: flagValues(ownFlags, { ...values, values: settled.flags }),
          rest: settled.rest,
          asked,
        };
        const report = await spec.run(input, session);
        if (report !== undefined) await session.say(report);
      } finally {
        await session.close();
      }
    }
  };
}
