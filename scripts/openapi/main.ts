import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "./document.ts";
import { yamlOf } from "./yaml.ts";

// `npm run openapi`: docs/openapi.yaml.
writeFileSync(join(import.meta.dirname, "../../docs/openapi.yaml"), yamlOf(openApi()));
