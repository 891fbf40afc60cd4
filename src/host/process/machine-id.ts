import { readFileSync } from "node:fs";
import type { Program, ProgramResult } from "../host.ts";

const linuxPaths = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
const askTimeoutMs = 2_000;
const answerMaxBytes = 64 * 1024;
/** Placeholders in images: not a machine's own id. */
const noIds: ReadonlySet<string> = new Set(["0".repeat(32), "f".repeat(32)]);

type Run = (program: Program) => Promise<ProgramResult>;

/**
 * An id of this machine that stays when its name changes: the machine-id of Linux, the hardware UUID of a Mac, the
 * MachineGuid of Windows. Undefined where there is none, as in most containers.
 */
export async function readMachineId(platform: string, run: Run): Promise<string | undefined> {
  if (platform === "darwin")
    return ask(run, "/usr/sbin/ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"], /"IOPlatformUUID" = "([\w-]+)"/);
  if (platform === "win32")
    return ask(
      run,
      "reg",
      ["query", String.raw`HKLM\SOFTWARE\Microsoft\Cryptography`, "/v", "MachineGuid"],
      /REG_SZ\s+([\w-]+)/,
    );
  for (const path of linuxPaths) {
    const id = textOf(path).trim();
    if (/^[0-9a-f]{32}$/.test(id) && !noIds.has(id)) return id;
  }
  return undefined;
}

/** Synchronous: loading `fs/promises` would cost a start 3 ms. Empty where the file can't be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * The id that Docker, Podman, containerd and the like gave this container, from its mounts and its cgroup. A recreated
 * container has another one.
 */
export async function readContainerId(platform: string): Promise<string | undefined> {
  if (platform !== "linux") return undefined;
  const { readFile } = process.getBuiltinModule("node:fs/promises");
  const read = (path: string) => readFile(path, "utf8").catch(() => "");
  return containerIdIn(await read("/proc/self/mountinfo"), await read("/proc/self/cgroup"));
}

/** @param mounts the text of `/proc/self/mountinfo`; `groups`: of `/proc/self/cgroup` */
export function containerIdIn(mounts: string, groups: string): string | undefined {
  // Files made for a single container are in a folder named after its id.
  const own = mounts.split("\n").filter((line) => / \/etc\/(?:hostname|hosts|resolv\.conf) /.test(line));
  return [...own, groups].map((text) => /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/.exec(text)?.[0]).find(Boolean);
}

async function ask(run: Run, command: string, args: readonly string[], form: RegExp): Promise<string | undefined> {
  const limits = { timeoutMs: askTimeoutMs, maxBytes: answerMaxBytes };
  const result = await run({ command, args, streams: "capture", capturesErrors: true, ...limits }).catch(
    () => undefined,
  );
  return result?.exit === 0 ? form.exec(new TextDecoder().decode(result.stdout))?.[1] : undefined;
}
