import { statSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { contenderOf, isInstalled, printComparison } from "./bench.ts";
import { serveFile } from "./server.ts";
import { writeStatement } from "./statement-file.ts";
import type { Contender } from "./turns.ts";
import { printTable, ratio, takeTurns } from "./turns.ts";

const sizes = (process.env["BENCH_ENTRIES"] ?? "100000,1000000").split(",").map(Number);
const runs = Number(process.env["BENCH_BULK_RUNS"] ?? 3);

const columns = [
  "tranRefNo",
  "valueDate",
  "txnDate",
  "narration",
  "debitOrCredit",
  "amountCredited",
  "amountDebited",
  "balance",
];
const jqProgram = `[${columns.map((name) => `"${name}"`).join(",")}], (.[] | [${columns.map((name) => `.${name}`).join(",")}]) | @csv`;

/** A long statement over HTTP, checked, to a file of each kind; and jq and Miller on the same bytes, from the disk. */
export async function benchBulk({ folder, programs, figures }: Bench): Promise<void> {
  const others = ["jq", "mlr"].filter(isInstalled);
  for (const count of sizes) {
    const file = join(folder, `statement-${count}.json`);
    await writeStatement(file, count);
    const server = await serveFile(file);
    const statement = ["wallet", "statement", "9000112200", "--month", "2026-10"];
    const forms = [
      ["--output", "csv"],
      ["--output", "ndjson"],
      ["--output", "csv", "--sort", "-balance"],
      ["--save", join(folder, "partner.xlsx")],
    ];
    const contenders: Contender[] = [
      ...forms.flatMap((form) =>
        programs.map((program) =>
          contenderOf(program, [...statement, ...form], {
            folder,
            environment: server.environment,
            label: `statement ${form[0] === "--save" ? "--save FILE.xlsx" : form.join(" ")}`,
          }),
        ),
      ),
      ...others.map((name) => ({
        name: `${name} to csv`,
        command: name,
        args: name === "jq" ? ["-r", jqProgram, file] : ["--ijson", "--ocsv", "cat", file],
        stdoutFile: join(folder, `${name}.csv`),
      })),
    ];
    try {
      const megabytes = (statSync(file).size / 1e6).toFixed(0);
      const measured = takeTurns(contenders, runs, { warmUp: false });
      const against = others.length === 0 ? undefined : `${others[0]} to csv`;
      printTable(`${count} entries, ${megabytes} MB of JSON, ${runs} runs each`, measured, against);
      printComparison(measured, programs);
      const base = measured.find(({ name }) => name === against);
      for (const { name, medianMs, peakMb } of measured)
        figures.push({
          what: `${name}, ${count} entries`,
          value: `${(medianMs / 1000).toFixed(1)} s ${peakMb?.toFixed(0) ?? "?"} MB`,
          ratio: ratio(medianMs, base?.medianMs),
          against: against ?? "",
        });
    } finally {
      server.stop();
    }
  }
}
