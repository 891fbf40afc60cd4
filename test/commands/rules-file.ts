import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../memory-host.ts";

/** A rule's condition and its result. */
export type Rule = readonly [when: unknown, says: unknown];

/** Writes a file of rules, or any other text. */
export function rulesFile(rules: string | readonly Rule[], path = join(temporaryFolder(), "rules.json")): string {
  const list =
    typeof rules === "string"
      ? []
      : rules.map(([when, says]) => `{"when":${JSON.stringify(when)},"then":${JSON.stringify(says)}}`);
  writeFileSync(
    path,
    typeof rules === "string" ? rules : `{"$schema":"rules.schema.json","rules":[${list.join(",")}]}`,
  );
  return path;
}
