import { closeSync, openSync } from "node:fs";
import { endings, stopExits } from "../../values/failure.ts";
import type { StopSignal } from "../../values/failure.ts";
import type { Host } from "../host.ts";
import { elapsedMs } from "./elapsed-ms.ts";
import { isHangUpIgnored } from "./hang-up.ts";
import { isWaitingToRead } from "../files/node-read.ts";

/** The time limit for writing a process's last messages. */
const sayingMs = 500;

/**
 * For so long a signal may come twice and be meant once: `timeout` and `npx` send on what the process group has had.
 */
export const echoMs = 100;

/**
 * Handles Ctrl-C, TERM and HUP. The first one asks the program to stop. A second one, of any kind, cancels work under
 * way: if that is money, its outcome is reported first, and a third one ends the process; otherwise the second does.
 */
export function listenForSignals(): Pick<Host, "signal" | "giveUp" | "hold"> {
  const [first, second] = [new AbortController(), new AbortController()];
  let isHeld = false;
  let hadTerminal = false;
  let heardAt = -Infinity;
  const isEcho = (signal: StopSignal) => {
    const sinceMs = elapsedMs() - heardAt;
    // A terminal that is closed takes its person along: the kernel and the shell both say so, and neither is impatient.
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
  // The launcher listens until now. A signal that came meanwhile is on its way, and would be lost with the last listener.
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
 * Node's own exit waits for what still reads from a pipe, and that may never end; a death by the signal does not. HUP
 * ends as TERM does.
 */
function exitAtOnce(signal: StopSignal): never {
  const death = signal === "SIGHUP" ? "SIGTERM" : signal;
  const die = () => {
    process.removeAllListeners(death);
    process.kill(process.pid, death);
  };
  // Windows knows no signals, and such a death has another code there.
  if (isWaitingToRead() && process.platform !== "win32") process.on("exit", die);
  process.exit(stopExits[signal]);
}

/**
 * Ends an interrupted process whose stdout has a reader that doesn't read, or whose stdin is a pipe without a writer;
 * any other process ends by itself.
 */
export function leaveUnread(exit: number): void {
  if (process.stdout.writableLength > 0) process.exit(exit);
  // The messages are being written meanwhile.
  if (isWaitingToRead()) setTimeout(() => exitAtOnce(exit === stopExits.SIGTERM ? "SIGTERM" : "SIGINT"), sayingMs);
}
