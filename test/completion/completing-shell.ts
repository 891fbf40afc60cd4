import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../memory-host.ts";
import { shop } from "../profiles/fixture.ts";

export type TestedShell = "bash" | "zsh" | "fish";

/** A place to try a shell: a home of its own with some files and two profiles, and a `partner` to ask. */
export interface Workplace {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

const program = join(import.meta.dirname, "..", "..", "bin", "partner.js");

/** @param answer the output of `partner complete` there. Default: that of the program itself */
export function workplace(answer?: string): Workplace {
  const folder = temporaryFolder();
  const [bin, config] = [join(folder, "bin"), join(folder, "config")];
  mkdirSync(bin);
  mkdirSync(config, { mode: 0o700 });
  for (const name of ["books.csv", "big book.csv", "other.pem"]) writeFileSync(join(folder, name), "");
  const { shop: profile } = shop.config.profiles;
  const profiles = { version: 1, profiles: { shop: profile, other: profile } };
  writeFileSync(join(config, "config.json"), JSON.stringify(profiles), { mode: 0o600 });
  writeFileSync(join(folder, "answer"), answer ?? "");
  const ask = answer === undefined ? `exec '${process.execPath}' '${program}' "$@"` : `cat '${join(folder, "answer")}'`;
  writeFileSync(
    join(bin, "partner"),
    `#!/bin/sh\nif [ "$1" = complete ]; then ${ask}; else printf '<%s>' "$@"; echo; fi\n`,
  );
  chmodSync(join(bin, "partner"), 0o755);
  const path = `${bin}:/usr/local/bin:/usr/bin:/bin`;
  return {
    folder,
    environment: { PATH: path, HOME: folder, PARTNER_CONFIG_DIR: config, LANG: "C.UTF-8", TERM: "dumb" },
  };
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

/** The shell's complaints about the script's syntax, without running it; empty if it has none. */
export function syntaxErrors(shell: TestedShell, script: string, { folder, environment }: Workplace): string {
  const file = join(folder, `syntax.${shell}`);
  writeFileSync(file, script);
  return String(spawnSync(shell, ["-n", file], { cwd: folder, env: environment }).stderr);
}

/** A word that a shell offers, and its description. */
export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** What the shell offers at the end of each line, in alphabetical order. */
export function candidates(
  shell: TestedShell,
  script: string,
  lines: readonly string[],
  place: Workplace,
): Candidate[][] {
  const file = join(place.folder, `script.${shell}`);
  writeFileSync(file, script);
  const offered = { bash: inBash, zsh: inZsh, fish: inFish }[shell](file, lines, place);
  return offered.map((candidatesOfLine) =>
    candidatesOfLine
      .flatMap((line) => (line === "" ? [] : [candidateOf(line)]))
      .toSorted((a, b) => (a.word < b.word ? -1 : 1)),
  );
}

/** Fish repeats `--flag=` before a value, zsh the word before its summary; both are removed. */
function candidateOf(line: string): Candidate {
  const [word = "", summary = ""] = line.split("\t");
  return { word: word.replace(/^--[a-z-]+=(?=.)/, ""), summary: summary.replace(/^.*? +-- /, "") };
}

/** Sets the variables that bash sets when a person presses Tab. */
function inBash(file: string, lines: readonly string[], place: Workplace): string[][] {
  const calls = lines.map((line) => {
    const words = line.replaceAll("=", " = ").split(" ");
    const list = words.map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _partner; printf '%s\\n' "\${COMPREPLY[@]}"; echo END`;
  });
  return blocks(runScript("bash", ["--norc", "-c", [`source ${file}`, ...calls].join("\n")], place));
}

function inFish(file: string, lines: readonly string[], place: Workplace): string[][] {
  const calls = lines.map((line) => `complete -C '${line}'; echo END`);
  return blocks(runScript("fish", ["-N", "-c", [`source ${file}`, ...calls].join("\n")], place));
}

function runScript(shell: string, args: readonly string[], { folder, environment }: Workplace): string {
  const { stdout, stderr } = spawnSync(shell, args, { cwd: folder, env: environment, encoding: "utf8" });
  if (stderr !== "") throw new Error(`${shell} complains: ${stderr}`);
  return stdout;
}

function blocks(text: string): string[][] {
  return text
    .split(/^END\n/m)
    .slice(0, -1)
    .map((block) => block.split("\n").filter((line) => line !== ""));
}

/** Zsh completes only in its line editor, so it gets a terminal there. */
function inZsh(file: string, lines: readonly string[], place: Workplace): string[][] {
  const captured = join(place.folder, "captured");
  writeFileSync(captured, "");
  const environment = {
    ...place.environment,
    CAPTURED: captured,
    SETUP: join(import.meta.dirname, "capture.zsh"),
    COMPLETION: file,
  };
  runScript("zsh", ["-f", join(import.meta.dirname, "terminal.zsh"), ...lines], { ...place, environment });
  return blocks(readFileSync(captured, "utf8"));
}
