import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const pjson: {
  engines: { node: string };
  files: string[];
  dependencies?: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
} = JSON.parse(read("package.json"));

/**
 * Parts of one machine or one registry, which mean nothing to other people who clone the project. Short homes are
 * made up.
 */
const machineMarks = [
  /\/(?:root|work|Users)\/[\w.-]+/,
  /\/home\/(?!\w{1,3}\b|user\b)[\w.-]+/,
  /https?:\/\/(?!registry\.npmjs\.org)[^\s"']*\b(?:registry|artifactory|nexus|verdaccio)\b/,
];

function machineMarksIn(text: string): string[] {
  return machineMarks.flatMap((mark) => mark.exec(text)?.[0] ?? []);
}

function trackedFiles(...folders: readonly string[]): string[] {
  const names = execFileSync("git", ["ls-files", "-z", "--", ...folders], { cwd: root, encoding: "utf8" });
  return names.split("\0").filter(Boolean);
}

test("no tracked file names a machine's folders or a registry", () => {
  const marked = trackedFiles().filter(
    (path) => path !== "test/tidy/package.test.ts" && machineMarksIn(read(path)).length > 0,
  );
  expect(marked).toEqual([]);
});

test("no document says to install partner by name: on npm's registry that is another package", () => {
  const files = trackedFiles("README.md", "docs", "src");
  expect(files.filter((path) => /npm i(?:nstall)?(?: -\S+)* partner\b/.test(read(path)))).toEqual([]);
});

test.each([
  ["see ", "root", "notes"].join("/"),
  ["cd ", "work", "main"].join("/"),
  "/Users/ann/x",
  "/home/builder/x",
  "https://registry.example.com/zod",
  "http://nexus.local/npm",
])("%s is found", (text) => {
  expect(machineMarksIn(text)).not.toEqual([]);
});

test("bin/partner.js starts exactly the versions of Node that package.json names", () => {
  const [, isSupported = ""] = /(function isSupported\(version\) \{.*?\n\})/s.exec(read("bin/partner.js")) ?? [];
  const check: unknown = runInNewContext(`${isSupported}; isSupported`);
  if (typeof check !== "function") throw new Error("There is no isSupported in bin/partner.js.");
  expect(pjson.engines.node).toBe("^22.22.3 || ^24.15.0 || >=26");
  const versions = [
    "18.20.8",
    "20.20.2",
    "22.22.2",
    "22.22.3",
    "22.23.0",
    "23.11.0",
    "24.14.9",
    "24.15.0",
    "24.21.0",
    "25.9.0",
    "26.0.0",
    "27.1.0",
  ];
  expect(versions.filter((version) => check(version.split(".").map(Number)) === true)).toEqual([
    "22.22.3",
    "22.23.0",
    "24.15.0",
    "24.21.0",
    "26.0.0",
    "27.1.0",
  ]);
});

test("bundled packages are not installed again: only the keyring's native part is a dependency", () => {
  expect(pjson.dependencies).toBeUndefined();
  expect(Object.keys(pjson.optionalDependencies)).toEqual(["@napi-rs/keyring"]);
});

test("every package is in package.json with one exact version", () => {
  const versions = Object.values({ ...pjson.devDependencies, ...pjson.optionalDependencies });
  // The Node that builds and the servers of tests are folders of ours, with exact versions of their own.
  expect(
    versions.filter(
      (version) => !/^file:scripts\/(?:node|postgres)$/.test(version) && !/^\d+\.\d+\.\d+$/.test(version),
    ),
  ).toEqual([]);
});
