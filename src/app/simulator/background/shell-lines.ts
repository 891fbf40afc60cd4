import type { Host } from "../../../host/host.ts";
import { emptiedVariables } from "../../../profiles/variables.ts";
import { environmentFor } from "../../../simulator/ready.ts";
import { foldersIn } from "../own-folders.ts";
import type { BackgroundRecord } from "./record.ts";
import { recordFolderVariable } from "./record.ts";

/**
 * Lines for a shell that point it to the simulator: its address, its credentials, and its own folders for profiles and
 * journal. What is set now for another account is emptied.
 * @param folder where the record is
 */
export function shellLines(host: Host, record: BackgroundRecord, folder: string): string {
  return exports({
    ...setOf(host, emptiedVariables),
    ...environmentFor(record.access),
    ...foldersIn(record.folder),
    [recordFolderVariable]: folder,
  });
}

/** Lines that empty those variables again; none for a shell that never had them. */
export function emptyingLines(host: Host): string {
  if ((host.environment[recordFolderVariable] ?? "") === "") return "";
  const folders = { ...foldersIn(""), [recordFolderVariable]: "" };
  return exports(setOf(host, { ...emptiedVariables, ...folders }));
}

/** Those that are set, emptied. */
function setOf(host: Host, variables: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(variables).filter((name) => (host.environment[name] ?? "") !== "");
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** The semicolons are for fish, whose `eval` joins lines by blanks. */
function exports(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quoted(value)};\n`)
    .join("");
}

/** One word for bash, zsh, fish and sh: fish alone reads a backslash between quotes, so it stands outside of them. */
function quoted(value: string): string {
  return `'${value.replaceAll(/['\\]/g, String.raw`'\$&'`)}'`;
}
