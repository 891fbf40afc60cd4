import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** HUP's bit in the mask of ignored signals. */
const hangUpBit = 1n;
/** The lowest two bits of a file's flags: its access mode. */
const accessBits = 3;
const writeOnly = 1;

/**
 * True where this process was started to ignore HUP, as by `nohup`. Node resets that before our code runs, so it is
 * derived from other traces: `nohup` as the shell's last command (`_`), a parent that ignores HUP, or the unreadable
 * stdin that `nohup` gives in place of a terminal.
 */
export function isHangUpIgnored(): boolean {
  if (basename(process.env["_"] ?? "") === "nohup") return true;
  if (process.platform !== "linux") return false;
  return doesParentIgnore() || isUnreadable(0);
}

function doesParentIgnore(): boolean {
  const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readQuietly(`/proc/${process.ppid}/status`))?.[1];
  return mask !== undefined && (BigInt(`0x${mask}`) & hangUpBit) !== 0n;
}

function isUnreadable(descriptor: number): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readQuietly(`/proc/self/fdinfo/${descriptor}`))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & accessBits) === writeOnly;
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
