import { dirname } from "node:path";
import type { Host } from "../../host/host.ts";
import { sha256 } from "../request-hash.ts";
import type { KnownJournal } from "./known-journals.ts";
import { isShared } from "./registration-words.ts";

/** Where a journal is used, as far as a machine without an id, such as a container, can be identified. */
export type Home = NonNullable<KnownJournal["home"]>;

/** This machine by a hash of its id, or where a journal is used on one that has none. */
interface Whereabouts {
  readonly machine: string | undefined;
  /** Undefined for a shared journal, too: it isn't a file. */
  readonly home: Home | undefined;
}

/** @param place the journal's path, or the database of a shared one */
export async function whereabouts(host: Pick<Host, "machine" | "files">, place: string): Promise<Whereabouts> {
  const id = await host.machine.machineId();
  if (id !== undefined) return { machine: sha256(`partner ${id}`), home: undefined };
  return { machine: undefined, home: isShared(place) ? undefined : await homeOf(host, place) };
}

async function homeOf({ machine, files }: Pick<Host, "machine" | "files">, place: string): Promise<Home> {
  const [container, folder] = await Promise.all([machine.containerId(), files.folderId(dirname(place))]);
  const hash = container === undefined ? null : sha256(`partner ${container}`);
  return { container: hash, folder: folder ?? null };
}

/**
 * How a journal came to be used elsewhere than before.
 * - `copied`: another container, and not the same folder: both containers may be in use
 * - `moved`: a new container with the former folder, or a restored folder in the same container
 */
export function changeOf(before: KnownJournal["home"], now: Home | undefined): "copied" | "moved" | undefined {
  if (before === undefined || before === null || now === undefined) return undefined;
  const isContainer = before.container !== null && now.container !== null && before.container !== now.container;
  const isFolder = before.folder !== null && now.folder !== null && isOtherFolder(before.folder, now.folder);
  if (isContainer && isFolder) return "copied";
  return isContainer || isFolder ? "moved" : undefined;
}

/** An id may not say when the folder was made: then it says `0`. */
function isOtherFolder(one: string, other: string): boolean {
  const [[oneNumber, oneMade], [otherNumber, otherMade]] = [one.split(" "), other.split(" ")];
  return oneNumber !== otherNumber || (oneMade !== "0" && otherMade !== "0" && oneMade !== otherMade);
}
