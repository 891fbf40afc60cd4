import { posix, win32 } from "node:path";
import type { Host } from "../host/host.ts";
import { Failure } from "../values/failure.ts";
import { fileFailure } from "./settings/file-failures.ts";

/** Only this user may look into our folders. */
const folderMode = 0o700;

interface FolderRule {
  readonly ours: string;
  readonly xdg: string;
  /** Below the home folder. */
  readonly standard: readonly string[];
  readonly windows: string;
  readonly windowsStandard: readonly string[];
}

const configRule: FolderRule = {
  ours: "PARTNER_CONFIG_DIR",
  xdg: "XDG_CONFIG_HOME",
  standard: [".config"],
  windows: "APPDATA",
  windowsStandard: ["AppData", "Roaming"],
};
const stateRule: FolderRule = {
  ours: "PARTNER_STATE_DIR",
  xdg: "XDG_STATE_HOME",
  standard: [".local", "state"],
  windows: "LOCALAPPDATA",
  windowsStandard: ["AppData", "Local"],
};

/**
 * Where profiles and secrets are kept: `PARTNER_CONFIG_DIR`, or `partner` in `$XDG_CONFIG_HOME`, `%APPDATA%` or
 * `~/.config`. Does not create it.
 * @throws {Failure} setup when there is no home folder to put it in, or a variable names a relative one
 */
export function configFolder(host: Host): string {
  return findFolder(host, configRule);
}

/**
 * Where journal, inbox and ledger are kept: `PARTNER_STATE_DIR`, or `partner` in `$XDG_STATE_HOME`, `%LOCALAPPDATA%` or
 * `~/.local/state`. Does not create it.
 * @throws {Failure} setup when there is no home folder to put it in, or a variable names a relative one
 */
export function stateFolder(host: Host): string {
  return findFolder(host, stateRule);
}

/**
 * Creates one of our folders and its missing parents, for this user alone.
 * @param use which of our folders `path` is, or is in
 * @throws {Failure} setup
 */
export async function makeFolder(host: Host, path: string, use: "config" | "state" = "config"): Promise<void> {
  try {
    await host.files.makeFolder(path, folderMode);
  } catch (error) {
    throw fileFailure("make", path, error, (use === "state" ? stateRule : configRule).ours);
  }
}

function findFolder(host: Host, rule: FolderRule): string {
  const onWindows = host.machine.platform === "win32";
  const paths = onWindows ? win32 : posix;
  const ours = host.environment[rule.ours] ?? "";
  // A relative path would mean other profiles and another journal in each working folder, and a journal that isn't
  // found is a payment made twice.
  if (ours !== "" && !paths.isAbsolute(ours)) throw relativeFolder(rule.ours);
  if (ours !== "") return ours;
  const base = [host.environment[rule.xdg], onWindows ? host.environment[rule.windows] : undefined].find(
    (path) => path !== undefined && paths.isAbsolute(path),
  );
  if (base !== undefined) return paths.join(base, "partner");
  const home = homeFolder(host, onWindows);
  if (!paths.isAbsolute(home) || /^[/\\.]*$/.test(home)) throw noHome(home === "" ? host : undefined);
  return paths.join(home, ...(onWindows ? rule.windowsStandard : rule.standard), "partner");
}

/** `HOME` if it is set at all: an empty `HOME` is an error to report, not a reason to look elsewhere. */
function homeFolder(host: Host, onWindows: boolean): string {
  const home = onWindows ? host.environment["USERPROFILE"] : host.environment["HOME"];
  return home ?? host.machine.homeFolder() ?? "";
}

function relativeFolder(variable: string): Failure {
  return new Failure("setup", `${variable} names a folder by a relative path.`, {
    hint: `Start it with a slash, so that it is the same folder wherever the command runs: ${variable}="$PWD/partner".`,
  });
}

/** @param host set where no home folder is named, not even a wrong one */
function noHome(host: Host | undefined): Failure {
  const isUnknown = host !== undefined && host.environment["HOME"] === undefined;
  const user = host?.machine.userId === undefined ? "this user" : `user ${host.machine.userId}`;
  const why = isUnknown ? `HOME is not set, and the machine does not know ${user}` : "HOME is empty or /";
  return new Failure("setup", `There is no home folder to keep profiles and the journal in: ${why}.`, {
    hint: "Set HOME, or name two folders with PARTNER_CONFIG_DIR and PARTNER_STATE_DIR.",
  });
}
