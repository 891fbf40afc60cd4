import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withOutputs } from "./blocks.ts";
import { writtenPages } from "./pages.ts";
import { playPage } from "./play.ts";

/**
 * `npm run guides [-- [--write] FILE…]`: runs every code block of README and guides, or of the files named. `--write`
 * puts what was printed into the `output` blocks; read it before you commit it.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: "boolean" } } });
const program = join(import.meta.dirname, "../../bin/partner.js");
let failed = 0;
for (const file of positionals.length > 0 ? positionals : writtenPages().keys()) {
  const markdown = readFileSync(file, "utf8");
  const { faults, outputs } = await playPage(markdown, { node: process.execPath, program });
  if (values.write === true) writeFileSync(file, withOutputs(markdown, outputs));
  if (faults.length > 0) failed += 1;
  console.log([`${faults.length === 0 ? "same" : "DIFFERS"} ${file}`, ...faults].join("\n"));
}
process.exitCode = failed === 0 || values.write === true ? 0 : 1;
