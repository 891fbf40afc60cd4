import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileOf, outputs, published } from "./schemas.ts";

// `npm run schemas`: docs/schemas, a file for each command.
const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/schemas");
for (const [id, schema] of outputs)
  writeFileSync(join(folder, fileOf(id)), `${JSON.stringify(published(id, schema), null, 2)}\n`);
execFileSync("oxfmt", ["docs/schemas"], { cwd: root, stdio: "ignore" });
