import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Program } from "./bench.ts";
import { contenderOf } from "./bench.ts";
import type { Contender } from "./turns.ts";
import { printTable, ratio, takeTurns } from "./turns.ts";

const simulatorScript = join(import.meta.dirname, "../../bin/partner.js");
const sizes = (process.env["BENCH_BATCH_ROWS"] ?? "1000,10000").split(",").map(Number);
const concurrencies = (process.env["BENCH_BATCH_CONCURRENCY"] ?? "1,8").split(",");

/** Batches of transfers against the simulator in a process of its own: rows a second, and the peak of memory. */
export async function benchBatch({ folder, programs, figures }: Bench): Promise<void> {
  const simulator = spawn(process.execPath, [simulatorScript, "simulator", "start", "--output", "json"], {
    env: { ...process.env, HOME: folder, XDG_CACHE_HOME: join(folder, "cache") },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [ready] = await once(simulator.stdout, "data");
  const { baseUrl, accountId, secretKey } = readyLine(String(ready));
  const environment = {
    PARTNER_BASE_URL: baseUrl,
    PARTNER_ENVIRONMENT: "simulator",
    PARTNER_ACCOUNT_ID: accountId,
    PARTNER_SECRET_KEY: secretKey,
  };
  try {
    for (const size of sizes) {
      const contenders = concurrencies.flatMap((concurrency) =>
        programs.map((program) => contender(program, folder, { size, concurrency, environment })),
      );
      const results = takeTurns(contenders, 1, { warmUp: false });
      printTable(`A batch of ${size} transfers, one run each: a second one would find them done`, results);
      for (const { name, medianMs, peakMb } of results) {
        figures.push({
          what: `${name}, ${size} rows`,
          value: `${Math.round((size / medianMs) * 1000)}/s ${peakMb?.toFixed(0) ?? "?"} MB`,
          ratio: ratio(medianMs, results[0]?.medianMs),
          against: `in time, --concurrency ${concurrencies[0]}`,
        });
      }
    }
  } finally {
    const ended = once(simulator, "exit");
    simulator.kill();
    await ended;
  }
}

function contender(
  program: Program,
  folder: string,
  run: { readonly size: number; readonly concurrency: string; readonly environment: Readonly<Record<string, string>> },
): Contender {
  const name = `${program.name}-${run.size}-${run.concurrency}`.replaceAll(/[^\w@.-]/g, "-");
  const [file, state] = [join(folder, `${name}.csv`), join(folder, `${name}-state`)];
  rmSync(state, { recursive: true, force: true });
  // References of its own: the simulator is the same for all.
  const mark = name.replaceAll(/\W/g, "").slice(-24);
  const rows = Array.from({ length: run.size }, (_, index) => `${mark}-${index},1\n`);
  writeFileSync(file, `reference,amount\n${rows.join("")}`);
  const shared = ["--kind", "transfer", "--from", "9000112233", "--set", "to=9000112244", "--description", "bench"];
  const words = ["batch", "run", file, ...shared, "--yes", "--csv", "--concurrency", run.concurrency];
  return contenderOf(program, words, {
    folder,
    environment: { ...run.environment, PARTNER_CONFIG_DIR: state, PARTNER_STATE_DIR: state },
    label: `batch run --concurrency ${run.concurrency}`,
  });
}

function readyLine(text: string): { baseUrl: string; accountId: string; secretKey: string } {
  return JSON.parse(text);
}
