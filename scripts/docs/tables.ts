import type { Command } from "@oclif/core/command";
import { faultValues, nameInHelp } from "../../src/simulator/fault.ts";
import { faultForms, faultKinds } from "../../src/simulator/faults/kinds.ts";
import { collectionOutcomes, payoutOutcomes, remittanceOutcomes } from "../../src/simulator/outcomes.ts";
import { exitCodes } from "../../src/values/failure.ts";

/** Tables in Markdown that are made from the program, by the name of their place. */
export function madeTables(): Record<string, string> {
  return {
    "exit-codes": table(
      ["exit", "ending", "what to do next"],
      exitCodes.map(({ exit, ending, next }) => [String(exit), ending, next]),
    ),
    faults: table(
      ["`--fault`", "what happens"],
      faultKinds.map((kind) => [`\`${nameInHelp(kind)}\``, kind.meaning]),
    ),
    "fault-values": table(
      ["`--fault`", "values of HOW"],
      faultValues().map(([name, values]) => [`\`${name}\``, values]),
    ),
    "fault-forms": table(
      ["form", "what it affects"],
      faultForms.map(([form, meaning]) => [`\`${form}\``, meaning]),
    ),
    "magic-numbers": table(
      ["number or account ends in", "what happens"],
      [
        ...collectionOutcomes.map(({ ending, meaning }) => [`collection \`…${ending}\``, meaning]),
        ...payoutOutcomes.map(({ ending, meaning }) => [`payout \`…${ending}\``, meaning]),
        ...remittanceOutcomes.map(({ ending, meaning }) => [`remittance \`…${ending}\``, meaning]),
      ],
    ),
  };
}

/** What a command's page is made from, by the command's id: `wallet:statement`. */
export type Commands = Readonly<Record<string, Command.Cached>>;

/** A Markdown table with its columns aligned, as the formatter wants it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = rows.map((cells) => cells.map((cell) => cell.replaceAll("|", String.raw`\|`)));
  const widths = head.map((_, column) => Math.max(...[head, ...escaped].map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  return [head, widths.map((width) => "-".repeat(width)), ...escaped].map(line).join("");
}
