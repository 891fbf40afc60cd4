import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// `PARTNER_REPOSITORY=https://github.com/someone/partner npm run repository`: puts the address of the repository into
// package.json, where a placeholder is kept.

/**
 * The text of package.json with this address as its `repository`, `bugs` and `homepage`.
 * @throws {Error} for an address that is not a web page's
 */
export function withRepository(pjson: string, address: string): string {
  const page = address.replace(/(?:\.git)?\/*$/, "");
  if (!/^https:\/\/[\w.-]+(?:\/[\w.-]+)+$/.test(page))
    throw new Error(`"${address}" is not the address of a repository.`);
  const content: object = JSON.parse(pjson);
  const addresses = {
    homepage: page,
    repository: { type: "git", url: `git+${page}.git` },
    bugs: { url: `${page}/issues` },
  };
  return `${JSON.stringify({ ...content, ...addresses }, undefined, 2)}\n`;
}

if (import.meta.main) {
  const address = process.env["PARTNER_REPOSITORY"];
  if (address === undefined) throw new Error("Set PARTNER_REPOSITORY to the address of the repository.");
  const file = join(import.meta.dirname, "../../package.json");
  writeFileSync(file, withRepository(readFileSync(file, "utf8"), address));
}
