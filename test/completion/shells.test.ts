import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { DescribedCommand } from "../../src/completion/grammar.ts";
import { placesOf } from "../../src/completion/grammar.ts";
import type { Shell } from "../../src/completion/shells.ts";
import { completionScript } from "../../src/completion/shells.ts";
import { run } from "../partner.ts";
import type { TestedShell } from "./completing-shell.ts";
import { candidates, isInstalled, syntaxErrors, workplace } from "./completing-shell.ts";

/** A line up to the cursor, and the words that are offered there. */
const completions: readonly [line: string, offered: readonly string[]][] = [
  ["partner wal", ["wallet", "wallets"]],
  ["partner wallet ", ["balance", "statement"]],
  ["partner wallet b", ["balance"]],
  ["partner wallet balance --fa", ["--fail-below"]],
  ["partner wallets list --fa", []],
  ["partner wallet balance 9000112233 --fa", ["--fail-below"]],
  ["partner wallet balance --output ", ["csv", "json", "ndjson", "table"]],
  ["partner wallet balance --output=j", ["json"]],
  ["partner wallet balance -o n", ["ndjson"]],
  ["partner wallet balance --output x", []],
  ["partner wallet statement --output h", ["hledger", "html"]],
  ["partner wallet statement -o c", ["camt053", "csv"]],
  ["partner account statement --output=x", ["xero", "xlsx"]],
  ["partner wallet statement --js", ["--json"]],
  ["partner wallet statement --output json --str", ["--strict"]],
  ["partner wallet balance --output json --fa", ["--fail-below"]],
  ["partner wallet balance --fail-below ", []],
  ["partner wallet balance --save other", ["other.pem"]],
  ["partner wallet balance --save=other", ["other.pem"]],
  ["partner wallet balance --ca-cert oth", ["other.pem"]],
  ["partner profile add shop --secrets-from oth", ["other.pem"]],
  ["partner wallet balance -p s", ["shop"]],
  ["partner wallet balance --profile ", ["other", "shop"]],
  ["partner profile use ", ["other", "shop"]],
  ["partner profile show o", ["other"]],
  ["partner profile use --output json ", ["other", "shop"]],
  ["partner profile use --output=json ", ["other", "shop"]],
  ["partner profile use shop ", []],
  ["partner profile add ", []],
  ["partner profile add --environment s", ["sandbox", "simulator"]],
  ["partner simulator start --environment s", ["sandbox"]],
  ["partner simulator start --seed d", ["demo"]],
  ["partner completion ", ["bash", "fish", "powershell", "zsh"]],
  ["partner completion zsh ", []],
  ["partner help ex", ["exit-codes"]],
  ["partner --v", ["--version"]],
  ["partner wallet --h", ["--help"]],
  ["partner wallet balance -- --fa", []],
  ["partner nonsense ", []],
  ["partner -p ", ["other", "shop"]],
  ["partner -p shop wallet b", ["balance"]],
  ["partner --json wallet --output=csv ", ["balance", "statement"]],
  ["partner wallet --profile shop balance --fa", ["--fail-below"]],
  ["partner wallet --out", ["--output"]],
  ["partner wallet --fail-below 5 b", []],
  ["partner --quiet help ex", ["exit-codes"]],
];

/**
 * Every character that some shell takes for something, and two texts that would leave a file behind if they were run.
 */
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
const awkwardCommands: readonly DescribedCommand[] = [
  {
    id: "odd:thing",
    summary: awkward,
    args: { word: { name: "word", options: awkwardWords } },
    flags: {
      pick: { name: "pick", char: "k", type: "option", summary: awkward, options: awkwardWords, helpValue: awkward },
      loud: { name: "loud", type: "boolean", summary: awkward },
    },
  },
  { id: "other", summary: awkward, args: {}, flags: {} },
];

function awkwardScript(shell: Shell): string {
  return completionScript(
    shell,
    placesOf(awkwardCommands, { topics: [{ text: "topic", summary: awkward }], argumentWords: {} }),
  );
}

describe.each<TestedShell>(["bash", "zsh", "fish"])("%s", (shell) => {
  test.skipIf(!isInstalled(shell))(`offers what fits at the cursor (needs ${shell})`, async () => {
    const { exit, stdout, stderr } = await run(["completion", shell]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    const place = workplace();
    expect(syntaxErrors(shell, stdout, place)).toBe("");
    const lines = completions.map(([line]) => line);
    const offered = candidates(shell, stdout, lines, place);
    expect(lines.map((line, index) => [line, wordsIn(offered[index] ?? [], line)])).toEqual(completions);
  });

  test.skipIf(!isInstalled(shell))(
    `takes words and summaries as they stand, whatever is in them (needs ${shell})`,
    () => {
      const place = workplace();
      const script = awkwardScript(shell);
      expect(syntaxErrors(shell, script, place)).toBe("");
      const lines = ["partner odd ", "partner odd thing --pick ", "partner odd thing ", "partner odd thing --lo"];
      const [commands, values, words, flags] = candidates(shell, script, lines, place);
      expect(values?.map(({ word }) => unquoted(word, shell)).toSorted()).toEqual(awkwardWords);
      expect(words?.map(({ word }) => unquoted(word, shell)).toSorted()).toEqual(awkwardWords);
      expect(commands?.map(({ word }) => word)).toEqual(["thing"]);
      expect(flags?.map(({ word }) => word)).toEqual(["--loud"]);
      const shown = shell === "bash" ? "" : awkward;
      expect([commands?.[0]?.summary, flags?.[0]?.summary]).toEqual([shown, shown]);
      expect(readdirSync(place.folder)).not.toContain("run");
    },
  );
});

/** Zsh goes on with flags where no argument is left to offer. */
function wordsIn(offered: readonly { readonly word: string }[], line: string): string[] {
  const asksForFlags = / -[^ ]*$/.test(line);
  return offered.flatMap(({ word }) => (word.startsWith("-") && !asksForFlags ? [] : [word]));
}

/** Bash is handed words as they have to be typed. */
function unquoted(word: string, shell: TestedShell): string {
  return shell === "bash" ? word.replaceAll(/\\(.)/g, "$1") : word;
}
