import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchBatch } from "./batch.ts";
import type { Bench, Figure } from "./bench.ts";
import { benchBulk } from "./bulk.ts";
import { benchGrowth } from "./growth.ts";
import { benchJournal } from "./journal.ts";
import { benchLedger } from "./ledger.ts";
import { benchLimits } from "./limits.ts";
import { benchReconcile } from "./reconcile.ts";
import { buildRevision } from "./revision.ts";
import { benchSharedGrowth } from "./shared-growth.ts";
import { benchSharedJournal } from "./shared-journal.ts";
import { benchStartup } from "./startup.ts";
import { benchWebhooks } from "./webhooks.ts";

const parts: Readonly<Record<string, (bench: Bench) => Promise<void> | void>> = {
  startup: benchStartup,
  bulk: benchBulk,
  reconcile: benchReconcile,
  batch: benchBatch,
  webhooks: benchWebhooks,
  journal: benchJournal,
  ledger: benchLedger,
  limits: benchLimits,
  "shared-journal": benchSharedJournal,
  growth: benchGrowth,
  "shared-growth": benchSharedGrowth,
};

/**
 * `npm run bench -- [NAME…] [--compare REF]`: measures, prints, and never fails the build. Without names all parts but
 * growth and shared-growth, which take half an hour each.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { compare: { type: "string" } } });
const wanted = positionals.length > 0 ? positionals : Object.keys(parts).filter((name) => !name.endsWith("growth"));
const folder = mkdtempSync(join(tmpdir(), "partner-bench-"));
const figures: Figure[] = [];
const own = { name: "partner", script: join(import.meta.dirname, "../../bin/partner.js") };
try {
  const other = values.compare === undefined ? undefined : buildRevision(values.compare, folder);
  try {
    await measure({ folder, figures, programs: other === undefined ? [own] : [own, other] });
  } finally {
    other?.remove();
  }
} catch (error) {
  console.log(`${values.compare ?? ""} could not be built: ${messageOf(error)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

console.log(`\nIn short, Node ${process.version} (load ${loadavg()[0]?.toFixed(2)})`);
for (const { what, value, ratio, against } of figures)
  console.log(`${what.padEnd(52)}${value.padStart(16)}${ratio.padStart(10)}  ${against}`);

async function measure(bench: Bench): Promise<void> {
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? "an unknown processor"}, ${process.platform}-${process.arch}`);
  for (const name of wanted) {
    try {
      if (parts[name] === undefined) throw new Error(`there are ${Object.keys(parts).join(", ")}`);
      await parts[name](bench);
    } catch (error) {
      console.log(`\n${name} could not be measured: ${messageOf(error)}`);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
