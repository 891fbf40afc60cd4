import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import config from "../../rolldown.config.ts";

// `npm run build`: the program into dist/, and one line about it. Built beside and then put in place, so that a run
// that starts meanwhile finds all of it.
const dist = join(import.meta.dirname, "../../dist");
const fresh = `${dist}-${process.pid}`;
try {
  const { output } = await build({ ...config, output: { ...config.output, dir: fresh } });
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
  const bytes = output.reduce(
    (sum, file) => sum + Buffer.byteLength(file.type === "chunk" ? file.code : file.source),
    0,
  );
  console.log(`dist: ${output.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
