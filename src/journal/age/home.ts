import { dirname } from "node:path";
import { isOtherPlace } from "../../host/files/place-id.ts";
import type { Host } from "../../host/host.ts";
import { sha256 } from "../requests/request-hash.ts";
import type { KnownJournal } from "./known-journals.ts";
import { isShared } from "./registration-words.ts";

/**
 * Where a journal is used: on a machine without an id, such as a container, as far as that can be identified; on others,
 * in which file.
 */
export type Home = NonNullable<KnownJournal["home"]>;

/** This machine by a hash of its id, and where a journal is used on it. */
interface Whereabouts {
  readonly machine: string | undefined;
  /** Undefined for a shared journal: it isn't a file. */
  readonly home: Home | undefined;
}

/** @param place the journal's path, or the database of a shared one */
export async function whereabouts(host: Pick<Host, "machine" | "files">, place: string): Promise<Whereabouts> {
  const id = await host.machine.machineId();
  if (isShared(place)) return { machine: id === undefined ? undefined : hashOf(id), home: undefined };
  if (id === undefined) return { machine: undefined, home: await homeOf(host, place) };
  return { machine: hashOf(id), home: { container: null, folder: (await host.files.placeId(place)) ?? null } };
}

function hashOf(id: string): string {
  return sha256(`partner ${id}`);
}

async function homeOf({ machine, files }: Pick<Host, "machine" | "files">, place: string): Promise<Home> {
  const [container, folder] = await Promise.all([machine.containerId(), files.placeId(dirname(place))]);
  const hash = container === undefined ? null : hashOf(container);
  return { container: hash, folder: folder ?? null };
}

/**
 * How a journal came to be used elsewhere than before.
 * - `copied`: another container, and not the same folder: both containers may be in use
 * - `moved`: a new container with the former folder, or a restored folder or file in the same container or machine
 */
export function changeOf(before: KnownJournal["home"], now: Home | undefined): "copied" | "moved" | undefined {
  if (before === undefined || before === null || now === undefined) return undefined;
  const isContainer = before.container !== null && now.container !== null && before.container !== now.container;
  const isFolder = before.folder !== null && now.folder !== null && isOtherPlace(before.folder, now.folder);
  if (isContainer && isFolder) return "copied";
  return isContainer || isFolder ? "moved" : undefined;
}
