import type { Host } from "../host/host.ts";
import { networkKindOf } from "../storage/sqlite/network-folder.ts";
import { stateFolder } from "../profiles/folders.ts";
import { namePath } from "../values/text/path-name.ts";
import type { Check } from "./check.ts";
import { warning } from "./check.ts";
import { checkFolder } from "./folder.ts";

/** Checks the folder of the journal: it must be on a local disk, whose writes survive a power loss. */
export async function checkStateFolder(host: Host): Promise<Check> {
  const found = await checkFolder(host, "state folder", stateFolder);
  if (found.result !== "ok") return found;
  const path = stateFolder(host);
  const kind = await networkKindOf(host, path);
  if (kind === undefined) return found;
  return warning(
    found.check,
    `${namePath(path)} is on a network file system (${kind}), where the journal is not safe. Name a folder on a local disk with PARTNER_STATE_DIR.`,
  );
}
