import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../partner.ts";
import type { TestedShell, Workplace } from "./completing-shell.ts";
import { isInstalled, workplace } from "./completing-shell.ts";

/** `script` of util-linux runs a program in a terminal; other systems' versions have other flags. */
const hasTerminal = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

/** The place of the script as in the command's help, and how the shell is started there. */
const installations: readonly {
  readonly shell: TestedShell;
  readonly files: (script: string) => Readonly<Record<string, string>>;
  readonly start: string;
}[] = [
  {
    shell: "bash",
    files: (script) => ({ ".bashrc": `PS1='READY> '\neval "$(cat made)"\n`, made: script }),
    start: "bash -i",
  },
  {
    shell: "zsh",
    files: (script) => ({
      ".zfunc/_partner": script,
      ".zshrc": "PS1='READY> '\nfpath=(~/.zfunc $fpath)\nautoload -U compinit && compinit -u -D\n",
    }),
    start: "zsh -i",
  },
];

for (const { shell, files, start } of installations) {
  const isMissing = !isInstalled(shell) || !hasTerminal;
  test.skipIf(isMissing)(
    `${shell}: the completed words reach partner unchanged (needs ${shell}, and script of util-linux)`,
    async () => {
      const { stdout } = await run(["completion", shell]);
      const place = workplace();
      for (const [name, text] of Object.entries(files(stdout))) {
        mkdirSync(dirname(join(place.folder, name)), { recursive: true });
        writeFileSync(join(place.folder, name), text);
      }
      const typed = {
        "partner wallet bal\t-o n\t": "<wallet><balance><-o><ndjson>",
        "partner wallet balance --output=j\t": "<wallet><balance><--output=json>",
        "partner wallet balance --save big\t": "<wallet><balance><--save><big book.csv>",
        "partner wallet balance --save=oth\t": "<wallet><balance><--save=other.pem>",
        "partner profile use sh\t": "<profile><use><shop>",
      };
      expect(await typeLines(start, place, Object.keys(typed))).toEqual(Object.values(typed));
    },
  );
}

test.skipIf(!isInstalled("fish"))("fish: the script is found in its folder (needs fish)", async () => {
  const { stdout } = await run(["completion", "fish"]);
  const { folder, environment } = workplace();
  mkdirSync(join(folder, ".config/fish/completions"), { recursive: true });
  writeFileSync(join(folder, ".config/fish/completions/partner.fish"), stdout);
  const asked = spawnSync("fish", ["-c", "complete -C 'partner wallet bal'"], { cwd: folder, env: environment });
  expect(String(asked.stdout)).toBe("balance\tShow what a wallet holds, or several of them.\n");
});

/** Types each line into a shell in a terminal, and returns the arguments of `partner`. */
async function typeLines(
  start: string,
  { folder, environment }: Workplace,
  lines: readonly string[],
): Promise<string[]> {
  const shell = spawn("script", ["-qec", start, "/dev/null"], { cwd: folder, env: environment });
  const calls: string[] = [];
  const waiting = [...lines];
  let screen = "";
  for await (const chunk of shell.stdout) {
    screen += String(chunk);
    // Zsh switches on bracketed paste after its prompt.
    if (!/READY> (?:\u001b\[\?2004h)?$/.test(screen)) continue;
    const [, call] = /^(<.*>)\r?$/m.exec(screen) ?? [];
    if (call !== undefined) calls.push(call);
    screen = "";
    shell.stdin.write(`${waiting.shift() ?? "exit"}\n`);
  }
  return calls;
}
