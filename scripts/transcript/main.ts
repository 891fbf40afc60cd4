import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkTranscript, playTranscript } from "./play.ts";
import { formatTranscript, parseTranscript } from "./transcript.ts";

/**
 * Plays transcripts against an installed program: `node scripts/transcript/main.ts [--node FILE] [--program FILE]
 * FILE…`, or against a standalone one: `--executable FILE`. `--write` writes down what came back instead of comparing
 * it; read it before you commit it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: "string", default: process.execPath },
    program: { type: "string", default: join(import.meta.dirname, "../../bin/partner.js") },
    executable: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const { node, program, executable } = values;
const installed =
  executable === undefined ? { node, program: resolve(program) } : { node: undefined, program: resolve(executable) };
let failed = 0;
for (const file of positionals) {
  const source = readFileSync(file, "utf8");
  if (values.write) {
    const transcript = parseTranscript(source);
    const outcomes = await playTranscript(transcript, installed);
    const steps = transcript.steps.map((step, index) => ({ ...step, outcome: outcomes[index] ?? step.outcome }));
    writeFileSync(file, formatTranscript({ ...transcript, steps }));
    continue;
  }
  const differences = await checkTranscript(source, installed);
  if (differences.length > 0) failed += 1;
  console.log([`${differences.length === 0 ? "same" : "DIFFERS"} ${file}`, ...differences].join("\n"));
}
if (!values.write) console.log(`transcripts: ${positionals.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
