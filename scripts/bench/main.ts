import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { benchBatch } from "./batch.ts";
import { benchBulk } from "./bulk.ts";
import { benchReconcile } from "./reconcile.ts";
import { benchStartup } from "./startup.ts";
import { benchWebhooks } from "./webhooks.ts";

const parts: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  startup: benchStartup,
  bulk: benchBulk,
  reconcile: benchReconcile,
  batch: benchBatch,
  webhooks: benchWebhooks,
};

/** `npm run bench [startup] [bulk] [reconcile] [batch] [webhooks]`: measures, prints, and never fails the build. */
const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "partner-bench-"));
console.log(`${cpus().length} × ${cpus()[0]?.model ?? "an unknown processor"}, ${process.platform}-${process.arch}`);
for (const [name, bench] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    await bench(folder);
  } catch (error) {
    console.log(`\n${name} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
  }
}
rmSync(folder, { recursive: true, force: true });
