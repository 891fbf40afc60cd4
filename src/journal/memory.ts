import { dirname, join } from "node:path";
import * as z from "zod/mini";
import type { Host } from "../host/host.ts";
import { Failure } from "../values/failure.ts";
import type { JournalPaths } from "./trouble.ts";
import { codeOf, reasonOf } from "../storage/trouble.ts";
import { namePath } from "../values/path-name.ts";

const memoryMaxBytes = 1024 * 1024;
const folderMode = 0o700;
const fileMode = 0o600;
const unwritableCodes: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);

const memorySchema = z.object({
  version: z.literal(1),
  journals: z.array(z.object({ path: z.string(), id: z.string() })),
});

/** A journal that existed, and where. */
export type Remembered = z.infer<typeof memorySchema>["journals"][number];

/** Where the ids of journals are kept: beside the profiles, so that what loses the one folder does not lose both. */
export function memoryPath(configFolder: string): string {
  return join(configFolder, "journals.json");
}

/**
 * All journals that were ever used with this config folder.
 * @throws {Failure} setup when the file is damaged or can't be read: what it knew is then not known
 */
export async function recallJournals(
  host: Host,
  { memory: path, money }: JournalPaths,
): Promise<readonly Remembered[]> {
  try {
    if ((await host.files.facts(path)) === undefined) return [];
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await host.files.read(path, memoryMaxBytes));
    return memorySchema.parse(JSON.parse(text)).journals;
  } catch (error) {
    throw new Failure("setup", `${namePath(path)}, which remembers the journal, cannot be read.`, {
      hint: "Make it readable for this user. If it is damaged and the journal is where it was, remove it: it is written anew.",
      money,
      cause: error,
    });
  }
}

/**
 * Adds a journal to those that are remembered, in place of another one at the same path. Of two that are used for the
 * first time at the same moment one may get lost: it is remembered when it is used again.
 * @returns false where the folder cannot be written by this user, as in a container that is given its settings
 * @throws {Failure} setup
 */
export async function rememberJournal(host: Host, paths: JournalPaths, id: string): Promise<boolean> {
  const { memory: path, money } = paths;
  const journal = { path: paths.journal, id };
  try {
    await host.files.makeFolder(dirname(path), folderMode);
    const others = (await recallJournals(host, paths)).filter((known) => known.path !== journal.path);
    await writeMemory(host, path, [...others, journal]);
    return true;
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (unwritableCodes.has(codeOf(error))) return false;
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    throw new Failure("setup", `${namePath(path)}, which remembers the journal, cannot be written: ${reason}.`, {
      hint: "Nothing was sent. Make room for it, or name another folder with PARTNER_CONFIG_DIR.",
      money,
      cause: error,
    });
  }
}

async function writeMemory(host: Host, path: string, journals: readonly Remembered[]): Promise<void> {
  const draft = await host.files.draft(path, fileMode);
  try {
    await draft.write(`${JSON.stringify({ version: 1, journals }, undefined, 2)}\n`);
    await draft.commit();
  } catch (error) {
    await draft.abandon();
    throw error;
  }
}
