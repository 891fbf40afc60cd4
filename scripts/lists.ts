import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { listsPage } from "../test/docs/lists-page.ts";

// `npm run lists`: shows every list on a terminal of 80 columns, for docs/lists.md.
writeFileSync(join(import.meta.dirname, "../docs/lists.md"), await listsPage());
