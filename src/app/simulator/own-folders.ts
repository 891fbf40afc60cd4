import type { Files } from "../../host/files/files.ts";
import { fileFailureOf } from "../../host/files/file-reason.ts";
import { emptiedVariables } from "../../profiles/variables.ts";
import { Failure } from "../../values/failure.ts";

/** Profiles and a journal that belong to one run alone. */
export interface OwnFolders {
  /** Names the folders, and empties every variable of another account. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder of both, which may have other files of the run. */
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes folders for a program that must not reach the profiles and the journal of real money.
 * @throws {Failure} setup
 */
export async function makeOwnFolders(files: Files): Promise<OwnFolders> {
  try {
    const folder = await files.temporaryFolder();
    const environment = { ...emptiedVariables, ...foldersIn(folder.path) };
    return { path: folder.path, environment, remove: () => folder.remove() };
  } catch (cause) {
    throw new Failure("setup", `A temporary folder cannot be made: ${fileFailureOf(cause)}.`, {
      hint: "Set TMPDIR to a folder that you may write to, and try again.",
      cause,
    });
  }
}

/** The variables that name the folders of profiles and journal inside of such a folder. */
export function foldersIn(path: string): Readonly<Record<string, string>> {
  return { PARTNER_CONFIG_DIR: `${path}/config`, PARTNER_STATE_DIR: `${path}/state` };
}
