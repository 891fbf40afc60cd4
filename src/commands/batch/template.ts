import { command } from "../../app/command.ts";
import { oneOf, requiredOption, toggle } from "../../cli/line/input.ts";
import { movementKinds } from "../../journal/movement.ts";
import { batchColumns } from "../../movements/batch/columns.ts";

/** How many example rows `--example` adds. */
const exampleCount = 2;

export default command({
  summary: "Print an empty batch: its line of columns, and with --example some rows.",
  description:
    "The order of the columns is free. What is the same in every row needs no column: give it to batch run by a flag.",
  examples: [
    "batch template --kind transfer > salaries.csv",
    "batch template --kind remit --example --save example.csv",
  ],
  args: {},
  flags: {
    kind: requiredOption({
      value: movementKinds.join("|"),
      summary: "The kind of the rows.",
      read: oneOf(...movementKinds),
    }),
    example: toggle({ summary: "Add rows that show what goes where." }),
  },
  text: { is: "a CSV file to fill in", formats: ["csv"], flags: ["excel", "delimiter"] },
  exits: [],
  async run({ flags: { kind, example } }, session) {
    const columns = batchColumns[kind].filter(({ notInTemplates }) => notInTemplates !== true);
    const header = columns.map(({ name }) => name);
    const examples = Array.from({ length: example ? exampleCount : 0 }, (_, index) =>
      columns.map((column) => (column.kind === "reference" ? `${column.example}-${index + 1}` : column.example)),
    );
    const lines = [header, ...examples];
    const { delimiter, excel } = session.result;
    const end = excel ? "\r\n" : "\n";
    const text = lines.map((cells) => cells.map((cell) => quoted(cell, delimiter)).join(delimiter) + end).join("");
    return { shape: "text", text: excel ? `\uFEFF${text}` : text };
  },
});

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) ? `"${cell}"` : cell;
}
