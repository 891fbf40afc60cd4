import type { FlagValues } from "../../../cli/line/input.ts";
import { oneOf, option } from "../../../cli/line/input.ts";
import type { Host } from "../../../host/host.ts";
import { emptiedVariables } from "../../../profiles/variables.ts";
import { environmentFor } from "../../../simulator/ready.ts";
import { Failure } from "../../../values/failure.ts";
import type { Session } from "../../session.ts";
import { foldersIn } from "../own-folders.ts";
import type { BackgroundRecord } from "./record.ts";
import { recordFolderVariable } from "./record.ts";

const shells = ["bash", "zsh", "fish", "powershell"] as const;

/** The shell for which the lines of `--env` are written. */
export const shellFlag = {
  shell: option({
    value: shells.join("|"),
    summary: "The shell that reads the lines of --env (default: powershell on Windows, else bash).",
    read: oneOf(...shells),
  }),
} as const;

/** The failure for --shell without the lines that it is about. */
export function shellWithoutEnv(): Failure {
  return new Failure("usage", "--shell has no effect without --env.", { hint: "Add --env, or leave --shell out." });
}

/**
 * Lines for a shell have one form. PARTNER_OUTPUT applies only to results with rows.
 * @param isForReadyFile true where the format could be that of a ready file
 * @throws {Failure} usage where a flag asks for another one
 */
export function refuseFormat({ format, host }: Pick<Session, "format" | "host">, isForReadyFile: boolean): void {
  if (format === "table" || format === host.environment["PARTNER_OUTPUT"]) return;
  const ready =
    isForReadyFile && format !== "csv" ? ` With --ready-file FILE, ${format} is the form of that file.` : "";
  throw new Failure("usage", `--env prints lines for a shell: ${format} has no effect on them.`, {
    hint: `Leave one of them out.${ready}`,
  });
}

type AskedShell = FlagValues<typeof shellFlag>["shell"];

/**
 * Lines for a shell that point it to the simulator: its address, its credentials, and its own folders for profiles and
 * journal. Variables for another account are emptied.
 * @param folder where the record is
 */
export function shellLines(
  host: Host,
  { record, folder, shell }: { record: BackgroundRecord; folder: string; shell: AskedShell },
): string {
  const variables = {
    ...setOf(host, emptiedVariables),
    ...environmentFor(record.access),
    ...foldersIn(record.folder),
    [recordFolderVariable]: folder,
  };
  return linesFor(host, variables, shell);
}

/** Lines that empty those variables again; none for a shell that never had them. */
export function emptyingLines(host: Host, shell: AskedShell): string {
  if ((host.environment[recordFolderVariable] ?? "") === "") return "";
  const folders = { ...foldersIn(""), [recordFolderVariable]: "" };
  return linesFor(host, setOf(host, { ...emptiedVariables, ...folders }), shell);
}

/** The command with which a person's shell runs the lines that another command prints. */
export function evaluated(command: string, host: Host, shell?: AskedShell): string {
  return usesPowerShell(host, shell) ? `${command} | Out-String | Invoke-Expression` : `eval "$(${command})"`;
}

/** The variables that are set, emptied. */
function setOf(host: Host, variables: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(variables).filter((name) => (host.environment[name] ?? "") !== "");
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** The semicolons are for fish, whose `eval` joins lines with spaces. */
function linesFor(host: Host, variables: Readonly<Record<string, string>>, shell: AskedShell): string {
  const line: (name: string, value: string) => string = usesPowerShell(host, shell)
    ? (name, value) => `$env:${name} = '${value.replaceAll(powershellQuotes, "$&$&")}'\n`
    : (name, value) => `export ${name}=${quoted(value)};\n`;
  return Object.entries(variables)
    .map(([name, value]) => line(name, value))
    .join("");
}

/** On Windows, a shell of other systems, such as bash, sets `SHELL`. */
function usesPowerShell({ environment, machine }: Host, shell: AskedShell): boolean {
  if (shell !== undefined) return shell === "powershell";
  return machine.platform === "win32" && (environment["SHELL"] ?? "") === "";
}

/** PowerShell ends a quoted text at any of these, and reads two of them as one. */
const powershellQuotes = /['\u2018\u2019\u201a\u201b]/g;

/** One word for bash, zsh, fish and sh: only fish interprets a backslash between quotes, so it is outside of them. */
function quoted(value: string): string {
  return `'${value.replaceAll(/['\\]/g, String.raw`'\$&'`)}'`;
}
