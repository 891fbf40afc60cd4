import { basename, dirname, join, relative, sep } from "node:path";
import type { Files } from "../host/files/files.ts";
import type { Host } from "../host/host.ts";
import { configFolder, stateFolder } from "../profiles/folders.ts";
import { checkSave } from "../report/save.ts";
import { Failure } from "../values/failure.ts";
import { visible } from "../values/text/text.ts";

/**
 * Files that we keep in our two folders. Other files there belong to the person, who may have chosen a folder with
 * files in it.
 */
const ours =
  /^(?:(?:journal|inbox|ledger|find)\.db|ledger\.lock|slip[.-]|(?:config|credentials|journals|rules|closes|verified-heads|status-asked)\.json|wallet-currencies|approval-key|simulator)/;
const ourFolders: ReadonlySet<string> = new Set(["exports", "batches", "marks"]);
/** Permission bits: others, or the group, can create and replace files in a folder. */
const othersWrite = 0o002;
const groupWrites = 0o020;
/** Only Windows knows longer paths, and it has no owners of links to look at. */
const pathMaxChars = 4_096;

/** The same host, but no file that a person named can replace one of ours. */
export function withProtectedFolders(host: Host): Host {
  const draft: Files["draft"] = async (path, mode) => {
    if (mode === "kept") await refuseProtected(path, undefined, host);
    return host.files.draft(path, mode);
  };
  return { ...host, files: { ...host.files, draft } };
}

/**
 * Checks that the file of `--save` can be made, before any request to the service.
 * @throws {Failure} usage | unavailable
 */
export async function checkResultFile(save: string | undefined, host: Host): Promise<void> {
  if (save === undefined) return;
  await refuseProtected(save, "--save", host);
  await checkSave(save, host.files);
}

/**
 * Refuses a path that a person typed if it leads to one of our files, or over a link that another user may have made.
 * @param flag that names the path, where known
 * @throws {Failure} usage
 */
export async function refuseProtected(path: string, flag: string | undefined, host: Host): Promise<void> {
  const named = flag === undefined ? visible(path) : `${flag} ${visible(path)}`;
  await refuseForeignLink(path, named, host);
  const target = await host.files.leadsTo(path);
  if (target === undefined) return;
  for (const folder of await foldersOf(host)) {
    const isThere = isOurs(relative(folder, target.path));
    if (!isThere && (target.namesCount < 2 || !(await hasOtherName(path, folder, host.files)))) continue;
    throw new Failure("usage", `${named} leads to a file that partner keeps for itself; nothing was written.`, {
      hint: "Name another file.",
    });
  }
}

/** Our folders, with links resolved; none where there is no home folder. */
async function foldersOf(host: Host): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const folderOf of [configFolder, stateFolder]) {
    try {
      const found = await host.files.leadsTo(folderOf(host));
      if (found !== undefined) folders.push(found.path);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return [...new Set(folders)];
}

/** @param within the path from the folder on */
function isOurs(within: string): boolean {
  const [first = "", ...rest] = within.split(sep);
  return rest.length === 0 ? ours.test(first) : ourFolders.has(first);
}

/** True where the path is a hard link to one of our files. */
async function hasOtherName(path: string, folder: string, files: Files): Promise<boolean> {
  for (const name of await files.names(folder)) {
    const inner = ourFolders.has(name) ? await files.names(join(folder, name)) : [];
    const all = ours.test(name) ? [name] : inner.map((file) => join(name, file));
    for (const file of all) if (await files.isSame(path, join(folder, file))) return true;
  }
  return false;
}

/**
 * Refuses a link in a folder that others can write to: it may lead anywhere.
 * @throws {Failure} usage
 */
async function refuseForeignLink(path: string, named: string, { files, machine }: Host): Promise<void> {
  if (machine.userId === undefined) return;
  for (let at = path; ; at = dirname(at)) {
    const parent = dirname(at);
    // Asking the system about each of a hundred thousand long paths takes seconds.
    const facts = at.length > pathMaxChars ? undefined : await files.facts(at).catch(() => undefined);
    if (facts?.kind === "link") {
      const folder = await files.facts(`${parent}/.`).catch(() => undefined);
      const isOwn = facts.ownerId === machine.userId;
      const bits = isOwn ? othersWrite : othersWrite | groupWrites;
      if (folder !== undefined && (folder.mode & bits) !== 0)
        throw new Failure(
          "usage",
          `${named} is not followed: ${visible(at)} is a link in a folder that others can write to.`,
          {
            hint: `Name the file that ${visible(basename(at))} leads to.`,
          },
        );
    }
    if (parent === at) return;
  }
}
