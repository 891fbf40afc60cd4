import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { serveFile } from "./server.ts";
import { writeStatement } from "./statement-file.ts";
import type { Contender } from "./turns.ts";
import { printTable, takeTurns } from "./turns.ts";

const program = join(import.meta.dirname, "../../bin/partner.js");
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

/** A long statement to CSV: over HTTP, checked, to a file; and jq on the same bytes, from the disk. */
export async function benchBulk(folder: string): Promise<void> {
  const hasJq = spawnSync("jq", ["--version"]).status === 0;
  if (!hasJq) console.log("\njq is not installed: nothing to compare the bulk export with.");
  for (const count of sizes) {
    const file = join(folder, `statement-${count}.json`);
    await writeStatement(file, count);
    const server = await serveFile(file);
    const words = ["wallet", "statement", "9000112200", "--month", "2026-10", "--output", "csv"];
    const contenders: Contender[] = [
      {
        name: "partner wallet statement --output csv",
        command: process.execPath,
        args: [program, ...words],
        environment: { ...server.environment, HOME: folder, XDG_CACHE_HOME: join(folder, "cache") },
        stdoutFile: join(folder, "partner.csv"),
      },
    ];
    if (hasJq)
      contenders.push({
        name: "jq -r … @csv",
        command: "jq",
        args: ["-r", jqProgram, file],
        stdoutFile: join(folder, "jq.csv"),
      });
    try {
      const megabytes = (statSync(file).size / 1e6).toFixed(0);
      const title = `${count} entries, ${megabytes} MB of JSON to CSV, ${runs} runs each`;
      printTable(title, takeTurns(contenders, runs, { warmUp: false }));
    } finally {
      server.stop();
    }
  }
}
