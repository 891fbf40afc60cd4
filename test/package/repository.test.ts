import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contactFiles, withContact, withRepository } from "../../scripts/package/repository.ts";

const root = join(import.meta.dirname, "../..");
const pjson = readFileSync(join(root, "package.json"), "utf8");

test("one variable fills in the addresses that package.json keeps a place for", () => {
  const filled = withRepository(pjson, "https://github.com/ann/partner.git");
  expect(filled).toBe(pjson.replaceAll("https://example.org/partner", "https://github.com/ann/partner"));
  expect(withRepository(filled, "https://example.org/partner/")).toBe(pjson);
});

test.each(contactFiles)("the same variable fills in where %s sends people with a security problem", (name) => {
  const text = readFileSync(join(root, name), "utf8");
  const filled = withContact(text, "https://github.com/ann/partner.git");
  expect(filled).toBe(text.replaceAll("https://example.org/partner", "https://github.com/ann/partner"));
  expect(filled).toContain("https://github.com/ann/partner/security");
  expect(withContact(filled, "https://example.org/partner")).toBe(text);
  expect(() => withContact("no address", "https://github.com/ann/partner")).toThrow("no address of a Security page");
});

test.each(["", "partner", "http://example.org/partner", "https://example.org", "https://example.org/a b"])(
  "%j is not the address of a repository",
  (address) => {
    expect(() => withRepository(pjson, address)).toThrow("is not the address of a repository");
  },
);

test("workflows and pages for contributors name only scripts that exist", () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(pjson);
  const files = globSync([".github/**/*.{yml,md}", "CONTRIBUTING.md"], { cwd: root });
  const named = files.flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(/npm run ([\w:-]+)/g)]);
  expect(named.length).toBeGreaterThan(0);
  expect(named.map(([, name = ""]) => name).filter((name) => !(name in scripts))).toEqual([]);
});
