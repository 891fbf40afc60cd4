import type { FileFacts } from "../host/files.ts";
import type { Host } from "../host/host.ts";
import { Failure } from "../values/failure.ts";
import type { JournalPaths } from "./trouble.ts";
import { beginAnew, damaged, namePath } from "./trouble.ts";

const strange: Readonly<Record<Exclude<FileFacts["kind"], "file">, string>> = {
  folder: "it is a folder, and a file belongs there",
  // Whoever changes the link changes the journal, and what the old one knew is forgotten. A folder can be named instead.
  link: "it is a link, and only the file itself is trusted; name its folder with PARTNER_STATE_DIR",
  other: "it is no ordinary file",
};
const othersMayWrite = 0o002;

/**
 * Looks at what stands in a journal's place before anything opens it.
 * @returns its size; 0 where a journal may be made
 * @throws {Failure} setup for what is no file, for a file or folder that anybody may change, and for a journal that
 * existed and is missing or empty
 */
export async function inspectPlace(host: Host, folder: string, paths: JournalPaths, existed: boolean): Promise<number> {
  // The dot stands for the folder itself where the path is a link to it.
  refuseOpenToAll(host, paths, folder, await host.files.facts(`${folder}/.`), "700");
  const facts = await host.files.facts(paths.journal);
  refuseOpenToAll(host, paths, paths.journal, facts, "600");
  if (facts !== undefined && facts.kind !== "file") throw damaged(paths, strange[facts.kind]);
  const sizeBytes = facts?.sizeBytes ?? 0;
  if (sizeBytes === 0 && existed) {
    const problem = facts === undefined ? "is missing" : "is empty";
    throw new Failure("setup", `The journal ${namePath(paths.journal)} ${problem}, though there was one.`, {
      hint: `No money moves without it. ${beginAnew(paths)}`,
      money: paths.money,
    });
  }
  return sizeBytes;
}

/** On Windows, where permission bits say nothing, nothing is refused. */
function refuseOpenToAll(
  host: Host,
  paths: JournalPaths,
  path: string,
  facts: FileFacts | undefined,
  mode: string,
): void {
  if (host.machine.userId === undefined || facts === undefined || facts.kind === "link") return;
  if ((facts.mode & othersMayWrite) === 0) return;
  throw new Failure("setup", `${namePath(path)} can be changed by every user, so it is not used.`, {
    hint: `If nobody did: chmod ${mode} ${namePath(path)}`,
    money: paths.money,
  });
}
