import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wantedPages } from "./docs/pages.ts";

// `npm run readme`: makes the tables of README and guides anew, and the pages of docs/reference.
const root = join(import.meta.dirname, "..");
const reference = join(root, "docs/reference");
const pages = await wantedPages();
mkdirSync(reference, { recursive: true });
for (const file of readdirSync(reference)) if (!pages.has(`docs/reference/${file}`)) rmSync(join(reference, file));
for (const [path, text] of pages) writeFileSync(join(root, path), text);
