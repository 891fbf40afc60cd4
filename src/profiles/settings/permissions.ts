import type { FileFacts } from "../../host/files/files.ts";
import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { namePath, pathWord } from "../../values/text/path-name.ts";
import { fileFailure } from "./file-failures.ts";

/** What others must not be able to do with our files and folders, and the mode that prevents it. */
const guards = {
  secret: { bits: 0o077, words: "can be read or changed by other users", mode: "600" },
  trusted: { bits: 0o022, words: "can be changed by other users", mode: "600" },
  folder: { bits: 0o022, words: "can be changed by other users", mode: "700" },
} as const;
export type Protection = keyof typeof guards;

/**
 * Refuses a file or folder that belongs to another user, or that others can read or change. Windows has no such owners
 * and permission bits: nothing is refused there.
 * @throws {Failure} setup
 */
export function refuseShared(host: Host, path: string, facts: FileFacts, guard: Protection): void {
  const userId = host.machine.userId;
  if (userId === undefined) return;
  if (facts.ownerId !== userId) {
    throw new Failure("setup", `${namePath(path)} belongs to another user, so it is not used.`, {
      hint: `If it is yours: chown ${userId} ${pathWord(path)}`,
    });
  }
  const { bits, words, mode } = guards[guard];
  if ((facts.mode & bits) === 0) return;
  throw new Failure("setup", `${namePath(path)} ${words}, so it is not used.`, {
    hint: `If no other user has done so: chmod ${mode} ${pathWord(path)}`,
  });
}

/**
 * Refuses a folder in which another user could replace files; a missing folder passes.
 * @throws {Failure} setup
 */
export async function refuseSharedFolder(host: Host, folder: string): Promise<void> {
  try {
    // The dot makes it follow a link to a folder.
    const facts = await host.files.facts(`${folder}/.`);
    if (facts !== undefined) refuseShared(host, folder, facts, "folder");
  } catch (error) {
    throw error instanceof Failure ? error : fileFailure("read", folder, error);
  }
}
