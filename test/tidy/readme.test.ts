import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wantedPages, writtenPages } from "../../scripts/docs/pages.ts";

const root = join(import.meta.dirname, "../..");

/** README and guides are short enough to be read: the README's limit, in bytes. */
const readmeMaxBytes = 10_000;

test("tables of README and guides, and the reference, match the program: npm run readme", async () => {
  const wanted = await wantedPages();
  const kept = [...wanted].map(([path]): [string, string] => [path, readFileSync(join(root, path), "utf8")]);
  expect(new Map(kept)).toEqual(wanted);
});

test("the reference has no page of a removed command: npm run readme", async () => {
  const pages = await wantedPages();
  const files = readdirSync(join(root, "docs/reference")).map((file) => `docs/reference/${file}`);
  expect(files.filter((path) => !pages.has(path))).toEqual([]);
});

test("a page without a place for its table is noticed", async () => {
  const pages = new Map([...writtenPages()].map(([path, text]) => [path, text.replace("<!-- exit-codes -->", "")]));
  await expect(wantedPages(pages)).rejects.toThrow("No page has a place for exit-codes.");
});

test("the README is short", () => {
  expect(Buffer.byteLength(writtenPages().get("README.md") ?? "")).toBeLessThanOrEqual(readmeMaxBytes);
});

test("every link of a document leads to a file and a heading that exist", async () => {
  const broken: string[] = [];
  for (const [path, text] of [...(await wantedPages()), ...otherDocuments()]) {
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
    for (const [, target = ""] of prose.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file = "", heading] = target.split("#");
      const linked = file === "" ? path : join(path, "..", file);
      if (!isThere(linked, heading)) broken.push(`${path}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

function otherDocuments(): [string, string][] {
  const paths = globSync(["*.md", "docs/*.md", "docs/decisions/*.md"], { cwd: root });
  return paths.map((path) => [path, readFileSync(join(root, path), "utf8")]);
}

function isThere(path: string, heading: string | undefined): boolean {
  try {
    if (heading === undefined) return readFileSync(join(root, path)).length > 0;
    return headings(readFileSync(join(root, path), "utf8")).includes(heading);
  } catch {
    return heading === undefined && isFolder(join(root, path));
  }
}

function isFolder(path: string): boolean {
  try {
    return readdirSync(path).length > 0;
  } catch {
    return false;
  }
}

/** The names by which GitHub links headings. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
