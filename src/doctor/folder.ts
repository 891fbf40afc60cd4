import { dirname, join } from "node:path";
import type { FileFacts } from "../host/files/files.ts";
import type { Host } from "../host/host.ts";
import { fileFailureOf } from "../host/files/file-reason.ts";
import { namePath, pathWord } from "../values/text/path-name.ts";
import type { Check } from "./check.ts";
import { looking, ok, problem, warning } from "./check.ts";
import { networkKindOf } from "../storage/sqlite/network-folder.ts";
import { stateFolder } from "../profiles/folders.ts";

const groupOrOthersBits = 0o077;
const writableByOthersBits = 0o022;

/** Checks that a folder of ours is, or can become, one that only this user can read and write. */
export function checkFolder(host: Host, check: string, find: (host: Host) => string): Promise<Check> {
  return looking(check, async () => {
    const path = find(host);
    try {
      const facts = await factsOf(host, path);
      if (facts === undefined) return await checkMissing(host, check, path);
      return checkShared(host, check, path, facts) ?? (await checkWritable(host, check, path, path));
    } catch (error) {
      return problem(check, `${namePath(path)} cannot be used: ${fileFailureOf(error)}.`);
    }
  });
}

/** Facts about the target of a link; undefined where there is nothing. */
async function factsOf(host: Host, path: string): Promise<FileFacts | undefined> {
  return (await host.files.facts(`${path}/.`)) ?? (await host.files.facts(path));
}

function checkShared(host: Host, check: string, path: string, facts: FileFacts): Check | undefined {
  const name = namePath(path);
  if (facts.kind !== "folder") return problem(check, `${name} isn't a folder: move it away.`);
  const { userId } = host.machine;
  if (userId === undefined) return undefined;
  if (facts.ownerId !== userId)
    return problem(check, `${name} belongs to another user. If it is yours: chown ${userId} ${pathWord(path)}`);
  if ((facts.mode & groupOrOthersBits) === 0) return undefined;
  const advice = `Keep it to yourself: chmod 700 ${pathWord(path)}`;
  if ((facts.mode & writableByOthersBits) !== 0)
    return problem(check, `${name} can be changed by other users. ${advice}`);
  return warning(check, `${name} can be looked into by other users. ${advice}`);
}

async function checkMissing(host: Host, check: string, path: string): Promise<Check> {
  let above = dirname(path);
  while ((await factsOf(host, above)) === undefined && dirname(above) !== above) above = dirname(above);
  return checkWritable(host, check, path, above);
}

/** Tries it: makes a file there and removes it. */
async function checkWritable(host: Host, check: string, path: string, where: string): Promise<Check> {
  try {
    const draft = await host.files.draft(join(where, ".partner-doctor"), 0o600);
    await draft.abandon();
  } catch (error) {
    const what = where === path ? "cannot be written to" : `cannot be made in ${namePath(where)}`;
    return problem(check, `${namePath(path)} ${what}: ${fileFailureOf(error)}.`);
  }
  return ok(check, where === path ? namePath(path) : `${namePath(path)} will be made when it is needed`);
}

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
