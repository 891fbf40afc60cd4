import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeManifest } from "../manifest.ts";
import { referencePages } from "./reference.ts";
import type { Commands } from "./tables.ts";
import { madeTables } from "./tables.ts";

const root = join(import.meta.dirname, "../..");

/** The guides, in the order in which the README lists them. */
const guideOrder = [
  "getting-started",
  "for-finance",
  "statements",
  "reconciliation",
  "books",
  "ledger",
  "moving-money",
  "paid-once",
  "batches-and-approval",
  "webhooks",
  "automation",
  "simulator",
  "troubleshooting",
  "faq",
];

/** The README and every guide, by their paths from the root. The guides that the order names come first. */
export function writtenPages(): Map<string, string> {
  const guides = readdirSync(join(root, "docs/guide"))
    .filter((file) => file.endsWith(".md"))
    .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  const paths = ["README.md", ...guides.map((file) => `docs/guide/${file}`)];
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** A guide that the order does not name comes last. */
function rank(file: string): number {
  return guideOrder.indexOf(file.replace(/\.md$/, "")) + 1 || Infinity;
}

/**
 * What README, guides and reference have to be, by their paths from the root: the written pages with each made table in
 * its place, and the pages of the reference as a whole.
 * @throws {Error} where no page has a place for a table
 */
export async function wantedPages(written: ReadonlyMap<string, string> = writtenPages()): Promise<Map<string, string>> {
  const { commands }: { commands: Commands } = JSON.parse(await makeManifest());
  const pages = new Map(written);
  for (const [name, content] of Object.entries({ ...madeTables(), guides: listOfGuides(written) })) {
    const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
    const paths = [...pages].filter(([, text]) => place.test(text)).map(([path]) => path);
    if (paths.length === 0) throw new Error(`No page has a place for ${name}.`);
    for (const path of paths) {
      const text = pages.get(path) ?? "";
      pages.set(
        path,
        text.replace(place, (_, before: string, after: string) => `${before}\n${content}\n${after}`),
      );
    }
  }
  for (const [file, text] of referencePages(commands)) pages.set(`docs/reference/${file}`, text);
  return pages;
}

/** A line for each guide: its title and its first paragraph. */
function listOfGuides(pages: ReadonlyMap<string, string>): string {
  const guides = [...pages].filter(([path]) => path.startsWith("docs/guide/"));
  return guides
    .map(([path, text]) => {
      const [, title = "", first = ""] = /^# (.*)\n\n((?:.+\n)+)/m.exec(text) ?? [];
      return `- [${title}](${path}): ${first.trim().split("\n").join(" ")}\n`;
    })
    .join("");
}
