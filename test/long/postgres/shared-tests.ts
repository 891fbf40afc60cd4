import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../../..");

/** Every daily test on a PostgreSQL server of its own, for whichever server is the usual one. */
export async function sharedTests(): Promise<void> {
  const paths = globSync("test/**/*.test.ts", { cwd: root }).filter((path) => !path.startsWith("test/long/"));
  for (const path of paths.toSorted())
    if (readFileSync(join(root, path), "utf8").includes("withPostgres("))
      await import(pathToFileURL(join(root, path)).href);
}
