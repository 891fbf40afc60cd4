import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { shells, shimFor } from "../../src/completion/shims.ts";
import { run } from "../partner.ts";
import type { TestedShell } from "./completing-shell.ts";
import { candidates, isInstalled, syntaxErrors, workplace } from "./completing-shell.ts";

/** A line up to the cursor, and the words that the shell offers there. */
const completions: readonly [line: string, offered: readonly string[]][] = [
  ["partner wal", ["wallet", "wallets"]],
  ["partner wallet ", ["balance", "statement"]],
  ["partner wallet balance --output=j", ["json"]],
  ["partner wallet balance -o n", ["ndjson"]],
  ["partner wallet statement --output json --str", ["--strict"]],
  ["partner wallet balance --save other", ["other.pem"]],
  ["partner wallet balance --save=other", ["other.pem"]],
  ["partner profile show o", ["other"]],
  ["partner -p ", ["other", "shop"]],
  ["partner simulator start --seed d", ["demo"]],
  ["partner nonsense ", []],
];

/** Every character with a meaning in some shell, and two texts that would leave a file behind if they were run. */
const everyCharacter = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index));
const awkward = `It's "quoted" [so] \\n 5:30 \`touch run\` $(touch run) … “q” ‘r’ ${everyCharacter}`;
const awkwardWords = [
  '"d"',
  "$(touch run)",
  "DEFAULT COLLECTION",
  "[x]",
  "`touch run`",
  "a:b",
  "b\\:c",
  "it's",
  "o\\k",
];

describe.each<TestedShell>(["bash", "zsh", "fish"])("%s", (shell) => {
  test.skipIf(!isInstalled(shell))(`offers the words that fit at the cursor (needs ${shell})`, async () => {
    const { exit, stdout, stderr } = await run(["completion", shell]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    const place = workplace();
    expect(syntaxErrors(shell, stdout, place)).toBe("");
    const lines = completions.map(([line]) => line);
    const offered = candidates(shell, stdout, lines, place);
    expect(lines.map((line, index) => [line, (offered[index] ?? []).map(({ word }) => word)])).toEqual(completions);
  });

  test.skipIf(!isInstalled(shell))(
    `offers words and summaries unchanged, whatever characters they have (needs ${shell})`,
    () => {
      const place = workplace(awkwardWords.map((word, at) => `${word}\t${at} ${awkward}\n`).join(""));
      const [offered = []] = candidates(shell, shimFor(shell), ["partner odd "], place);
      expect(offered.map(({ word }) => unquoted(word, shell)).toSorted()).toEqual(awkwardWords);
      const said = awkwardWords.map((_, at) => (shell === "bash" ? "" : `${at} ${awkward}`));
      expect(offered.map(({ summary }) => summary).toSorted()).toEqual(said);
      expect(readdirSync(place.folder)).not.toContain("run");
    },
  );

  test.skipIf(!isInstalled(shell))(`offers a word that does not begin with the typed text (needs ${shell})`, () => {
    const place = workplace("9000112244\tMishahara (salaries)\n");
    const [offered = []] = candidates(shell, shimFor(shell), ["partner wallet balance Mis"], place);
    expect(offered.map(({ word }) => word)).toEqual(["9000112244"]);
  });

  test.skipIf(!isInstalled(shell))(`offers nothing when partner fails or prints nothing (needs ${shell})`, () => {
    expect(candidates(shell, shimFor(shell), ["partner wal", "partner "], workplace(""))).toEqual([[], []]);
  });
});

/** Readline puts the open quote before the word itself. */
test.skipIf(!isInstalled("bash"))("bash offers words within quotes unchanged, or not at all (needs bash)", () => {
  const place = workplace(awkwardWords.map((word) => `${word}\t\n`).join(""));
  const [double = [], single = []] = candidates(
    "bash",
    shimFor("bash"),
    ['partner odd "', String.raw`partner odd '\''`],
    place,
  );
  expect(double.map(({ word }) => word)).toEqual(["DEFAULT COLLECTION", "[x]", "a:b", "it's"]);
  expect(single.map(({ word }) => word)).toEqual(awkwardWords.filter((word) => word !== "it's"));
});

test.each(shells)("the script for %s fits on a screen", (shell) => {
  expect(shimFor(shell).split("\n").length).toBeLessThan(25);
});

/** Bash gets words in the form in which they have to be typed. */
function unquoted(word: string, shell: TestedShell): string {
  return shell === "bash" ? word.replaceAll(/\\(.)/g, "$1") : word;
}
