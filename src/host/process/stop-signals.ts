import { closeSync, openSync } from "node:fs";
import { endings, stopExits } from "../../values/failure.ts";
import type { StopSignal } from "../../values/failure.ts";
import type { Host } from "../host.ts";
import { elapsedMs } from "./elapsed-ms.ts";
import { isHangUpIgnored } from "./hang-up.ts";
import { isWaitingToRead } from "../files/node-read.ts";

/** How long the last messages may take to be written. */
const sayingMs = 500;

/**
 * Within this time, a second signal is an echo of the first: `timeout` and `npx` forward what the process group already
 * got.
 */
export const echoMs = 100;

/**
 * Handles Ctrl-C, TERM and HUP. The first one asks the program to stop. A second one, of any kind, ends the process,
 * unless money is being sent: then it cancels that work, the outcome is reported first, and a third one ends the
 * process.
 */
export function listenForSignals(): Pick<Host, "signal" | "giveUp" | "hold"> {
  const [first, second] = [new AbortController(), new AbortController()];
  let isHeld = false;
  let hadTerminal = false;
  let heardAt = -Infinity;
  const isEcho = (signal: StopSignal) => {
    const sinceMs = elapsedMs() - heardAt;
    // When a terminal is closed, the kernel and the shell both send HUP: that is not a person who presses twice.
    return sinceMs < echoMs || (signal === "SIGHUP" && hadTerminal && !hasTerminal());
  };
  const stop = (signal: StopSignal) => {
    if (first.signal.aborted && !isHeld) exitAtOnce(signal);
    if (first.signal.aborted && isEcho(signal)) return;
    heardAt = elapsedMs();
    if (!first.signal.aborted) first.abort(signal);
    else if (!second.signal.aborted) second.abort(signal);
    else process.exit(endings.unknown.exit);
  };
  process.on("SIGINT", () => stop("SIGINT"));
  process.on("SIGTERM", () => stop("SIGTERM"));
  const launchers = process.listeners("SIGHUP");
  process.on("SIGHUP", isHangUpIgnored() ? () => undefined : () => stop("SIGHUP"));
  // The launcher listened until now. It is removed only after ours is added, or a pending signal would be lost.
  for (const listener of launchers) process.off("SIGHUP", listener);
  return {
    signal: first.signal,
    giveUp: second.signal,
    hold() {
      if (!isHeld) hadTerminal = hasTerminal();
      isHeld = true;
    },
  };
}

/** True while the process belongs to a terminal, whatever its streams are. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/**
 * Node's own exit waits for pending reads from a pipe, which may never end; dying by the signal does not. HUP counts as
 * TERM.
 */
function exitAtOnce(signal: StopSignal): never {
  const death = signal === "SIGHUP" ? "SIGTERM" : signal;
  const die = () => {
    process.removeAllListeners(death);
    process.kill(process.pid, death);
  };
  // Windows has no signals: such a death has another exit code there.
  if (isWaitingToRead() && process.platform !== "win32") process.on("exit", die);
  process.exit(stopExits[signal]);
}

/**
 * Ends an interrupted process whose stdout isn't read, or that waits for a pipe that no program writes to. Any other
 * process ends by itself.
 */
export function exitIfBlocked(exit: number): void {
  if (process.stdout.writableLength > 0) process.exit(exit);
  // The last messages are being written meanwhile.
  if (isWaitingToRead()) setTimeout(() => exitAtOnce(exit === stopExits.SIGTERM ? "SIGTERM" : "SIGINT"), sayingMs);
}
