import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// `PARTNER_REPOSITORY=https://github.com/someone/partner npm run repository`: puts the address of the repository into
// package.json, and that of its Security page into SECURITY.md and the issue templates, where placeholders are kept.

/** Files that say where a security problem is reported. */
export const contactFiles = ["SECURITY.md", ".github/ISSUE_TEMPLATE/config.yml"];

/**
 * The text of package.json with this address as its `repository`, `bugs` and `homepage`.
 * @throws {Error} for an address that is not a web page's
 */
export function withRepository(pjson: string, address: string): string {
  const page = pageOf(address);
  const content: object = JSON.parse(pjson);
  const addresses = {
    homepage: page,
    repository: { type: "git", url: `git+${page}.git` },
    bugs: { url: `${page}/issues` },
  };
  return `${JSON.stringify({ ...content, ...addresses }, undefined, 2)}\n`;
}

/**
 * A text with the repository's Security page in the place of the one that it names.
 * @throws {Error} for an address that is not a web page's, and for a text that names no such page
 */
export function withContact(text: string, address: string): string {
  const named = /https:\/\/[\w./-]+\/security\b/g;
  if (!named.test(text)) throw new Error("There is no address of a Security page.");
  return text.replaceAll(named, `${pageOf(address)}/security`);
}

function pageOf(address: string): string {
  const page = address.replace(/(?:\.git)?\/*$/, "");
  if (!/^https:\/\/[\w.-]+(?:\/[\w.-]+)+$/.test(page))
    throw new Error(`"${address}" is not the address of a repository.`);
  return page;
}

if (import.meta.main) {
  const address = process.env["PARTNER_REPOSITORY"];
  if (address === undefined) throw new Error("Set PARTNER_REPOSITORY to the address of the repository.");
  const root = join(import.meta.dirname, "../..");
  const fill = (name: string, filled: typeof withContact) =>
    writeFileSync(join(root, name), filled(readFileSync(join(root, name), "utf8"), address));
  fill("package.json", withRepository);
  for (const name of contactFiles) fill(name, withContact);
}
