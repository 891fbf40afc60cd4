import { chmodSync } from "node:fs";
import { join } from "node:path";
import { needsPostgres, postgresServer } from "../../test/postgres.ts";
import type { Bench } from "./bench.ts";
import { contenderOf } from "./bench.ts";
import { filled } from "./limits.ts";
import { makeShared, traversable } from "./shared-journal.ts";
import type { Measured } from "./turns.ts";
import { printTable, takeTurns } from "./turns.ts";

const sizes = (process.env["BENCH_SHARED_GROWTH"] ?? "10000,100000,1000000").split(",").map(Number);
const lines = [
  "journal migrate",
  "journal copy",
  "doctor",
  "journal list --by nobody --output csv",
  "find R7 --offline",
  "journal verify",
];
/** The account of the orders. */
const account = {
  PARTNER_BASE_URL: "http://127.0.0.1:8080",
  PARTNER_ENVIRONMENT: "simulator",
  PARTNER_ACCOUNT_ID: "bench",
  PARTNER_SECRET_KEY: "bench-secret",
};

/** What commands take with so many orders in one shared journal: a local one is moved into it first. */
export async function benchSharedGrowth({ folder, programs }: Bench): Promise<void> {
  const [program] = programs;
  if (program === undefined) return;
  if (needsPostgres !== "") return console.log(`\nThe shared journal is not measured${needsPostgres}.`);
  chmodSync(folder, traversable);
  const server = postgresServer(folder);
  try {
    await server.start();
    const measured = new Map<string, Measured[]>(lines.map((line) => [line, []]));
    for (const size of sizes) {
      const own = join(folder, `shared-${size}`);
      await (await filled(own, size)).close();
      const PARTNER_JOURNAL_URL = await server.newDatabase();
      await makeShared(PARTNER_JOURNAL_URL);
      const folders = { PARTNER_STATE_DIR: join(own, "state"), PARTNER_CONFIG_DIR: join(own, "config") };
      const environment = { ...account, ...folders, PARTNER_JOURNAL_URL };
      for (const line of lines) {
        const label = `${line} of ${size}`;
        const contender = contenderOf(program, line.split(" "), { folder, environment, label });
        const [result] = takeTurns([contender], 1, { warmUp: false });
        if (result === undefined) continue;
        console.log(`${label}: ${(result.medianMs / 1000).toFixed(2)} s, ${result.peakMb?.toFixed(0) ?? "?"} MB`);
        measured.get(line)?.push(result);
      }
    }
    for (const [line, results] of measured) printTable(`Growth of ${line} with a shared journal`, results);
  } finally {
    await server.crash();
  }
}
