import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import config from "../../rolldown.config.ts";
import { manualPages } from "./man.ts";
import { releaseDay } from "./release-day.ts";

// `npm run build`: the program into dist/, and one line about it. Built beside and then put in place, so that a run
// that starts meanwhile finds all of it.
const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");
const fresh = `${dist}-${process.pid}`;
try {
  const { output } = await build({ ...config, output: { ...config.output, dir: fresh } });
  writeManual(join(fresh, "man"));
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

function writeManual(folder: string): void {
  const { description, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { commands } = JSON.parse(readFileSync(join(root, "oclif.manifest.json"), "utf8"));
  const day = releaseDay(version, readFileSync(join(root, "CHANGELOG.md"), "utf8")) ?? "";
  mkdirSync(folder);
  for (const [name, page] of manualPages({ description, version, day, commands })) {
    writeFileSync(join(folder, name), page);
  }
}
