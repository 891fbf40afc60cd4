import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { program } from "./program.ts";

/** True if there is a program that gives programs a terminal. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** A terminal with our program in it, as a person has one. */
export interface Terminal {
  /** Types the text, letter by letter. */
  type(text: string): void;
  /** Presses a key by tmux's name: `Enter`, `Down`, `C-c`. */
  press(key: string): void;
  /** Closes it together with everything that runs there; resolves when it is gone. */
  close(): Promise<void>;
  /** Resolves with the screen once it shows the text. After the program has ended, its screen says `exit CODE`. */
  shows(text: string): Promise<string>;
}

/**
 * Runs the sources with these words in a terminal of its own, which ends with the test. In its control mode tmux
 * reports
 * when something was drawn, so no sleep is needed. With `resumes`, its shell has job control: when Ctrl-Z
 * stops the program, `fg` is typed for it. With `endsInto`, its exit code is written to that file, even if the
 * terminal
 * is gone by then.
 */
export function openTerminal(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  { columns = 100, rows = 40, resumes = false, endsInto = "" } = {},
): Terminal {
  const socket = `partner-test-${randomUUID()}`;
  const typed = [process.execPath, program, ...words];
  const command = typed.map((word) => `'${word}'`).join(" ");
  const job = resumes ? `set -m; ${command}; fg` : command;
  const line = endsInto === "" ? `${job}; echo "exit $?"; exec cat` : `trap : HUP; ${job}; echo "$?" >'${endsInto}'`;
  const server = ["-L", socket, "-f", "/dev/null", "-u"];
  const env = { PATH: process.env["PATH"], TERM: "xterm", LANG: "C.UTF-8", NO_COLOR: "1", ...environment };
  const client = spawn("tmux", [...server, "-C", "new-session", "-x", `${columns}`, "-y", `${rows}`, line], { env });
  onTestFinished(() => {
    spawnSync("tmux", [...server, "kill-server"]);
  });
  // The last thing drawn may ask for a screen of a terminal that is already gone. "close" fails all remaining waits.
  client.stdin.on("error", () => undefined);
  let screen = "";
  const watchers = new Set<Watcher>();
  /** The handlers of the answers to come, in order; the first one is for the command line above. */
  const takers: ((answer: string) => void)[] = [() => undefined];
  const say = (command: string, take: (answer: string) => void = () => undefined) => {
    takers.push(take);
    client.stdin.write(`${command}\n`);
  };
  const look = (drawn: string) => {
    screen = drawn;
    for (const watcher of watchers) {
      if (!screen.includes(watcher.text)) continue;
      watchers.delete(watcher);
      watcher.resolve(screen);
    }
  };
  client.on("close", () => {
    for (const { text, reject } of watchers) reject(new Error(`The terminal never showed ${text}, but:\n${screen}`));
  });
  const answer: string[] = [];
  createInterface({ input: client.stdout }).on("line", (text) => {
    if (text.startsWith("%output ")) say("capture-pane -p", look);
    else if (/^%(end|error) /.test(text)) takers.shift()?.(answer.splice(0).join("\n"));
    else if (!text.startsWith("%")) answer.push(text);
  });
  return {
    type: (text) => say(`send-keys -l -- '${text}'`),
    press: (key) => say(`send-keys ${key}`),
    async close() {
      spawnSync("tmux", [...server, "kill-server"]);
      if (client.exitCode === null) await once(client, "close");
    },
    shows: (text) =>
      new Promise((resolve, reject) => {
        watchers.add({ text, resolve, reject });
        look(screen);
      }),
  };
}

/** A wait for a text. */
interface Watcher {
  readonly text: string;
  readonly resolve: (screen: string) => void;
  readonly reject: (error: Error) => void;
}
