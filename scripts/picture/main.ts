import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dark, light, terminalPicture } from "./terminal-picture.ts";

// `npm run picture`: plays the session below in a real terminal (tmux) against the simulator, and draws what it showed
// into docs/images, light and dark, for the README.

const session = [
  "partner wallets list --currency TZS",
  "partner wallet statement 9000112233 --date 2026-10-01 --strict",
  "partner transfer --from 9000112233 --to 9000112244 --amount 250000 --description Pay --reference SAL-40 --yes",
  "partner journal list",
  "partner wallet balance 9000112233 --fail-below 90000000 --quiet; echo exit code $?",
];
const columns = 112;
const rows = 60;

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "partner-picture-"));
const tmux = ["-L", folder.split("/").at(-1) ?? "picture", "-f", "/dev/null", "-u"];
try {
  const partner = join(folder, "partner");
  writeFileSync(partner, `#!/bin/sh\nexec '${process.execPath}' '${join(root, "bin/partner.js")}' "$@"\n`);
  chmodSync(partner, 0o755);
  const typed = session.map((line) => `printf '\\033[1;32m$\\033[0m %s\\n' '${line}'; ${line}; echo`);
  writeFileSync(join(folder, "session.sh"), ["clear", ...typed, "tmux wait-for -S played", "cat"].join("\n"));
  const world = "simulator run --clock 2026-11-03T09:00:00+03:00 --seed-number 7 -- sh session.sh";
  const env = { PATH: `${folder}:${process.env["PATH"] ?? ""}`, TERM: "xterm-256color", LANG: "C.UTF-8", HOME: folder };
  run(["new-session", "-d", "-x", `${columns}`, "-y", `${rows}`, `cd '${folder}' && ./partner ${world}`], env);
  run(["wait-for", "played"], env);
  const screen = run(["capture-pane", "-e", "-p"], env);
  mkdirSync(join(root, "docs/images"), { recursive: true });
  writeFileSync(join(root, "docs/images/terminal-light.svg"), terminalPicture(screen, columns, light));
  writeFileSync(join(root, "docs/images/terminal-dark.svg"), terminalPicture(screen, columns, dark));
} finally {
  spawnSync("tmux", [...tmux, "kill-server"]);
  rmSync(folder, { recursive: true, force: true });
}

function run(words: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync("tmux", [...tmux, ...words], { env, encoding: "utf8", timeout: 60_000 });
  if (status !== 0) throw new Error(`tmux ${words[0] ?? ""} ended with ${String(status)}: ${stderr}`);
  return stdout;
}
