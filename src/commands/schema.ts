import { command } from "../app/command.ts";
import { neededText, positional } from "../cli/line/input.ts";
import { nearestCommands } from "../cli/line/usage-errors.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text/text.ts";

export default command({
  summary: "Print the JSON schema of what a command prints with --json.",
  description:
    "It is self-contained, of draft 2020-12. With ndjson each line is one of the list's items, and --columns leaves the other fields out. The same files are in docs/schemas. A change that breaks one is a major version.",
  examples: ["schema wallets list", "schema wallet statement --save statement.schema.json"],
  args: { command: positional({ summary: "The command, in its own words.", read: neededText }) },
  flags: {},
  rest: "COMMAND...",
  text: { is: "a JSON schema", formats: ["json"], flags: [] },
  exits: [],
  async run({ args, rest }, { program }) {
    const words = [args.command, ...rest];
    const ids = (await program.commands()).map(({ id }) => id);
    const typed = words.join(" ").split(/\s+/).join(":");
    const id = Object.hasOwn(program.aliases, typed) ? program.aliases[typed] : typed;
    const text = id !== undefined && ids.includes(id) ? await program.schema(id) : undefined;
    if (text === undefined) throw unknown(words, ids);
    return { shape: "text", text };
  },
});

function unknown(words: readonly string[], ids: readonly string[]): Failure {
  const below = (group: string) =>
    ids.map((id) => id.replaceAll(":", " ")).filter((command) => command === group || command.startsWith(`${group} `));
  const own = below(words.join(" "));
  const near = own.length > 0 ? own : nearestCommands(words, ids).flatMap(below);
  const [first = "", ...others] = near;
  return new Failure("usage", `There is no command ${quote(words.join(" "))}.`, {
    hint:
      near.length === 0
        ? "See which there are: partner --help"
        : others.length === 0
          ? `Did you mean: partner schema ${first}`
          : `The commands are ${near.join(", ")}. For the first of them: partner schema ${first}`,
  });
}
