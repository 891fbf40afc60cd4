import type { FileFacts } from "../host/files/files.ts";
import type { Host } from "../host/host.ts";
import type { MoneyFate } from "../values/failure.ts";
import { Failure } from "../values/failure.ts";
import { namePath } from "../values/text/path-name.ts";
import { DamageError } from "./failures.ts";

const strange: Readonly<Record<Exclude<FileFacts["kind"], "file">, string>> = {
  folder: "it is a folder, and a file belongs there",
  // Whoever changes the link changes what was kept, and what the old one knew is forgotten. A folder can be named
  // instead.
  link: "it is a link, and only the file itself is trusted; name its folder with PARTNER_STATE_DIR",
  other: "it isn't an ordinary file",
};
const othersMayWrite = 0o002;

/** A file in the state folder that keeps what must not get lost. */
export interface StoredFile {
  readonly folder: string;
  readonly path: string;
  /** What of money when it can't be used. */
  readonly money: MoneyFate;
}

/**
 * Looks at what stands in the place of a database before anything opens it.
 * @returns its size; undefined where nothing stands
 * @throws {DamageError} for what is no file
 * @throws {Failure} setup for a file or folder that anybody may change
 */
export async function inspectPlace(host: Host, file: StoredFile): Promise<number | undefined> {
  // The dot stands for the folder itself where the path is a link to it.
  refuseOpenToAll(host, file, file.folder, await host.files.facts(`${file.folder}/.`), "700");
  const facts = await host.files.facts(file.path);
  refuseOpenToAll(host, file, file.path, facts, "600");
  if (facts !== undefined && facts.kind !== "file") throw new DamageError(strange[facts.kind]);
  return facts?.sizeBytes;
}

/** On Windows, where permission bits say nothing, nothing is refused. */
function refuseOpenToAll(
  host: Host,
  { money }: StoredFile,
  path: string,
  facts: FileFacts | undefined,
  mode: string,
): void {
  if (host.machine.userId === undefined || facts === undefined || facts.kind === "link") return;
  if ((facts.mode & othersMayWrite) === 0) return;
  throw new Failure("setup", `${namePath(path)} can be changed by every user, so it is not used.`, {
    hint: `If that did not happen: chmod ${mode} ${namePath(path)}`,
    money,
  });
}
