import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { faultValues, nameInHelp } from "../src/simulator/fault.ts";
import { faultForms, faultKinds } from "../src/simulator/faults/kinds.ts";
import { collectionOutcomes, remittanceOutcomes } from "../src/simulator/outcomes.ts";
import { exitCodes } from "../src/values/failure.ts";
import { makeManifest } from "./manifest.ts";

const path = join(import.meta.dirname, "..", "README.md");

/** The tables of the README that are made from the program, by the name of their place. */
async function tables(): Promise<Record<string, string>> {
  const { commands }: { commands: Record<string, { summary?: string }> } = JSON.parse(await makeManifest());
  return {
    commands: table(
      ["command", "what it does"],
      Object.entries(commands).map(([id, { summary }]) => [`\`${id.replaceAll(":", " ")}\``, summary ?? ""]),
    ),
    "exit-codes": table(
      ["exit", "ending", "what to do next"],
      exitCodes.map(({ exit, ending, next }) => [String(exit), ending, next]),
    ),
    faults: table(
      ["`--fault`", "what happens"],
      faultKinds.map((kind) => [`\`${nameInHelp(kind)}\``, kind.meaning]),
    ),
    "fault-values": table(
      ["`--fault`", "what HOW can be"],
      faultValues().map(([name, values]) => [`\`${name}\``, values]),
    ),
    "fault-forms": table(
      ["written so", "it hits"],
      faultForms.map(([form, meaning]) => [`\`${form}\``, meaning]),
    ),
    "magic-numbers": table(
      ["number or account ends in", "what happens"],
      [
        ...collectionOutcomes.map(({ ending, meaning }) => [`collection \`…${ending}\``, meaning]),
        ...remittanceOutcomes.map(({ ending, meaning }) => [`remittance \`…${ending}\``, meaning]),
      ],
    ),
  };
}

/** The README with each made table in its place, between `<!-- name -->` and `<!-- /name -->`. */
export async function withTables(readme: string): Promise<string> {
  let text = readme;
  for (const [name, content] of Object.entries(await tables())) {
    const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!place.test(text)) throw new Error(`The README has no place for ${name}.`);
    text = text.replace(place, (_, before: string, after: string) => `${before}\n${content}\n${after}`);
  }
  return text;
}

/** A Markdown table with its columns aligned, as the formatter wants it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("");
}

if (import.meta.main) writeFileSync(path, await withTables(readFileSync(path, "utf8")));
