import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { manualPages } from "../../scripts/build/man.ts";
import { releaseDay } from "../../scripts/build/release-day.ts";
import { prose, roff } from "../../scripts/build/roff.ts";
import { makeManifest } from "../../scripts/manifest.ts";
import { topics } from "../../src/app/help/topics.ts";
import type { HelpBlock } from "../../src/cli/help/layout.ts";
import { temporaryFolder } from "../memory-host.ts";

const { commands } = JSON.parse(await makeManifest());
const ids = Object.keys(commands);
const manual = { description: "Run an account: from here.", version: "1.2.3", day: "2026-10-31", commands };
const pages = manualPages(manual);

function has(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).error === undefined;
}

const hasMan = process.platform === "linux" && has("man", "--version") && has("groff", "--version");

/** A page as a person sees it. */
function shown(page: string): { text: string; warnings: string } {
  const file = join(temporaryFolder(), "page.1");
  writeFileSync(file, page);
  const { stdout, stderr } = spawnSync("man", ["--warnings", "-l", file], {
    env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", MANWIDTH: "160", MAN_KEEP_FORMATTING: "", MANPAGER: "cat" },
    encoding: "utf8",
  });
  return { text: stdout, warnings: stderr };
}

function wordsIn(block: HelpBlock): string {
  if (block.kind === "prose") return block.text;
  return block.kind === "commands" ? block.lines.join("\n") : block.entries.flat().join("\n");
}

function asOneLine(text: string): string {
  return text.split(/\s+/).join(" ");
}

test("there is a page for partner and one for each command", () => {
  expect([...pages.keys()]).toEqual(["partner.1", ...ids.map((id) => `partner-${id.replaceAll(":", "-")}.1`)]);
});

test("the same commands give the same pages, without the time of their making", () => {
  expect([...manualPages(manual)]).toEqual([...pages]);
  for (const [name, page] of pages) {
    const title = name
      .replace(/\.1$/, "")
      .toUpperCase()
      .replaceAll("-", String.raw`\-`);
    expect(page.split("\n")[0]).toBe(`.TH "${title}" "1" "2026-10-31" "partner 1.2.3" "partner manual"`);
  }
});

/** The files of all pages. */
function pageFiles(): string[] {
  const folder = temporaryFolder();
  return [...pages].map(([name, page]) => {
    const file = join(folder, name);
    writeFileSync(file, page);
    return file;
  });
}

test.runIf(has("groff", "--version"))("groff has no complaint about any page (needs groff)", () => {
  const { status, stderr } = spawnSync("groff", ["-mandoc", "-k", "-Tutf8", "-ww", "-z", ...pageFiles()], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test.runIf(has("mandoc"))("mandoc has no complaint about any page (needs mandoc)", () => {
  const { stdout } = spawnSync("mandoc", ["-T", "lint", "-W", "warning", ...pageFiles()], { encoding: "utf8" });
  expect(stdout).toBe("");
});

test.runIf(hasMan)("a command's page has each flag, each example and each exit code of its help (needs man)", () => {
  const { text } = shown(pages.get("partner-transfer.1") ?? "");
  for (const name of Object.keys(commands["transfer"].flags)) expect(text).toMatch(new RegExp(`--${name}\\b`));
  for (const example of commands["transfer"].examples)
    expect(text).toContain(example.replace("<%= config.bin %>", "partner"));
  for (const line of ["4      refused: read", "6      unknown: do NOT repeat it", "130    interrupted: run"])
    expect(text).toContain(line);
});

test.runIf(hasMan)("partner(1) explains each topic in the words of help (needs man)", () => {
  const { text } = shown(pages.get("partner.1") ?? "");
  for (const topic of Object.values(topics)) {
    const blocks = topic.page().flatMap((part) => (part.heading === undefined ? [] : part.blocks));
    for (const block of blocks) expect(asOneLine(text)).toContain(asOneLine(wordsIn(block)).trim());
  }
});

test("no text is read as a command of the formatter", () => {
  expect(roff(".so /etc/passwd\n'br\na\\fBb - --c `d` ~e ^f")).toBe(
    String.raw`\&.so /etc/passwd
\&'br
a\efBb \- \-\-c \(gad\(ga \(tie \(haf`,
  );
  expect(prose(".TH\n\n  .nf\n  x", "joined")).toBe("\\&.TH\n.PP\n.RS 4\n.nf\n\\&.nf\nx\n.fi\n.RE");
});

test("a version has its date from the changelog, and none before its release", () => {
  const changelog = "# Changelog\n\n## [Unreleased]\n\n## [1.10.0] - 2026-12-01\n\n## [1.1.0] - 2026-11-02\n";
  expect(["1.10.0", "1.1.0", "1.1", "2.0.0"].map((version) => releaseDay(version, changelog))).toEqual([
    "2026-12-01",
    "2026-11-02",
    undefined,
    undefined,
  ]);
});
