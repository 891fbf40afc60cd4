import type { Host } from "../host/host.ts";
import { namePath } from "../profiles/file-trouble.ts";
import { stateFolder } from "../profiles/folders.ts";
import type { Check } from "./check.ts";
import { warning } from "./check.ts";
import { checkFolder } from "./folder.ts";
import { networkMountOf } from "./network-mount.ts";

const mountsMaxBytes = 4 * 1_048_576;

/** The folder of the journal, which has to keep what it was told even when the power goes: a local disk does. */
export async function checkStateFolder(host: Host): Promise<Check> {
  const found = await checkFolder(host, "state folder", stateFolder);
  if (found.result !== "ok") return found;
  const path = stateFolder(host);
  const type = networkMountOf(path, await readMounts(host));
  if (type === undefined) return found;
  return warning(
    found.check,
    `${namePath(path)} is on a network file system (${type}), where the journal is not safe. Name a folder on a local disk with PARTNER_STATE_DIR.`,
  );
}

/** Only Linux says it in a file; elsewhere it is not known. */
async function readMounts(host: Host): Promise<string> {
  if (host.machine.platform !== "linux") return "";
  const bytes = await host.files.read("/proc/mounts", mountsMaxBytes).catch(() => new Uint8Array());
  return new TextDecoder().decode(bytes);
}
