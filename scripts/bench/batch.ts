import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contender } from "./turns.ts";
import { printTable, takeTurns } from "./turns.ts";

const program = join(import.meta.dirname, "../../bin/partner.js");
const sizes = (process.env["BENCH_BATCH_ROWS"] ?? "1000,10000").split(",").map(Number);
const concurrencies = (process.env["BENCH_BATCH_CONCURRENCY"] ?? "1,8").split(",");

/** Batches of transfers against the simulator in a process of its own: rows a second, and the peak of memory. */
export async function benchBatch(folder: string): Promise<void> {
  const simulator = spawn(process.execPath, [program, "simulator", "start", "--output", "json"], {
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
    XDG_CACHE_HOME: join(folder, "cache"),
  };
  try {
    for (const size of sizes) {
      const contenders = concurrencies.flatMap((concurrency) => {
        const home = join(folder, `batch-${size}-${concurrency}`);
        rmSync(home, { recursive: true, force: true });
        return contender(folder, size, concurrency, { ...environment, HOME: home, PARTNER_CONFIG_DIR: home });
      });
      const results = takeTurns(contenders, 1, { warmUp: false });
      printTable(`A batch of ${size} transfers, one run each: a second one would find them done`, results);
      for (const { name, medianMs } of results)
        console.log(`  ${name}: ${Math.round((size / medianMs) * 1000)} rows a second`);
    }
  } finally {
    const ended = once(simulator, "exit");
    simulator.kill();
    await ended;
  }
}

function contender(
  folder: string,
  size: number,
  concurrency: string,
  environment: Readonly<Record<string, string>>,
): Contender {
  const file = join(folder, `batch-${size}-${concurrency}.csv`);
  const rows = Array.from({ length: size }, (_, index) => `B${size}-${concurrency}-${index},1\n`);
  writeFileSync(file, `reference,amount\n${rows.join("")}`);
  const shared = ["--kind", "transfer", "--from", "9000112233", "--set", "to=9000112244", "--description", "bench"];
  const words = ["batch", "run", file, ...shared, "--yes", "--csv", "--concurrency", concurrency];
  const name = `partner batch run --concurrency ${concurrency}`;
  return {
    name,
    command: process.execPath,
    args: [program, ...words],
    environment: { ...environment, PARTNER_STATE_DIR: join(environment["PARTNER_CONFIG_DIR"] ?? folder, "state") },
    stdoutFile: join(folder, "batch.out"),
  };
}

function readyLine(text: string): { baseUrl: string; accountId: string; secretKey: string } {
  return JSON.parse(text);
}
