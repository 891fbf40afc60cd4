import type { FileFacts } from "../host/files/files.ts";
import type { Host } from "../host/host.ts";
import type { MoneyFate } from "../values/failure.ts";
import { Failure } from "../values/failure.ts";
import { namePath } from "../values/text/path-name.ts";
import { DamageError } from "./failures.ts";

const strange: Readonly<Record<Exclude<FileFacts["kind"], "file">, string>> = {
  folder: "it is a folder, and a file belongs there",
  // Changing the link would replace the file, and everything in it. A folder can be named instead.
  link: "it is a link, and only the file itself is trusted; name its folder with PARTNER_STATE_DIR",
  other: "it isn't an ordinary file",
};
const othersMayWrite = 0o002;

/** A file in the state folder whose loss would matter. */
export interface StoredFile {
  readonly folder: string;
  readonly path: string;
  /** The fate of money when it can't be used. */
  readonly money: MoneyFate;
}

/**
 * Checks the file of a database before it is opened.
 * @returns its size; undefined where there is none
 * @throws {DamageError} where it isn't a regular file
 * @throws {Failure} setup for a file or folder that others can change
 */
export async function inspectPlace(host: Host, file: StoredFile): Promise<number | undefined> {
  // The dot makes it follow a link to a folder.
  refuseOpenToAll(host, file, file.folder, await host.files.facts(`${file.folder}/.`), "700");
  const facts = await host.files.facts(file.path);
  refuseOpenToAll(host, file, file.path, facts, "600");
  if (facts !== undefined && facts.kind !== "file") throw new DamageError(strange[facts.kind]);
  return facts?.sizeBytes;
}

/**
 * Refuses a file or folder that every user can change. Windows has no such permission bits: nothing is refused there.
 * @param mode what it should have
 * @throws {Failure} setup
 */
export function refuseOpenToAll(
  host: Pick<Host, "machine">,
  { money }: Pick<StoredFile, "money">,
  path: string,
  facts: FileFacts | undefined,
  mode: string,
): void {
  if (host.machine.userId === undefined || facts === undefined || facts.kind === "link") return;
  if ((facts.mode & othersMayWrite) === 0) return;
  throw new Failure("setup", `${namePath(path)} can be changed by every user, so it is not used.`, {
    hint: `If no other user has done so: chmod ${mode} ${namePath(path)}`,
    money,
  });
}
