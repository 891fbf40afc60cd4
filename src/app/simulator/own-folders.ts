import type { Files } from "../../host/files/files.ts";
import { fileFailureOf } from "../../profiles/settings/file-failures.ts";
import { emptiedVariables } from "../../profiles/variables.ts";
import { Failure } from "../../values/failure.ts";

/** Profiles and a journal that belong to one run alone. */
export interface OwnFolders {
  /** Names the folders, and empties every variable of another account. */
  readonly environment: Readonly<Record<string, string>>;
  /** What else belongs to the run may lie there. */
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
    const folders = { PARTNER_CONFIG_DIR: `${folder.path}/config`, PARTNER_STATE_DIR: `${folder.path}/state` };
    return { path: folder.path, environment: { ...emptiedVariables, ...folders }, remove: () => folder.remove() };
  } catch (cause) {
    throw new Failure("setup", `A temporary folder cannot be made: ${fileFailureOf(cause)}.`, {
      hint: "Name a folder that you may write to: TMPDIR=FOLDER partner simulator run -- COMMAND",
      cause,
    });
  }
}
