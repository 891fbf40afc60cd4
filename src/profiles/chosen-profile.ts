import type { Host } from "../host/host.ts";
import { closest } from "../values/text/closest.ts";
import { Failure } from "../values/failure.ts";
import { namePath } from "../values/text/path-name.ts";
import { quote } from "../values/text/text.ts";
import { configFolder } from "./folders.ts";
import type { Profile, Settings } from "./profile.ts";
import { checkProfileName, profileOf } from "./profile.ts";
import { readSettings } from "./settings/settings.ts";
import { readVariable, variableFor } from "./variables.ts";

/** The source of a profile that the command line names. */
export const namedByFlag = "--profile";

export interface ChosenProfile {
  readonly name: string;
  readonly profile: Profile;
  /** The source of the choice: `--profile`, `PARTNER_PROFILE`, or `current`. */
  readonly source: string;
}

/**
 * The profile that a command works with: that of `--profile`, else of `PARTNER_PROFILE`, else the current one.
 * Undefined where the environment is complete, with an address and at least one secret: then the profiles are not even
 * read, so that a job with complete variables doesn't depend on the home folder.
 * @throws {Failure} usage | setup
 */
export async function chooseProfile(host: Host, flag: string | undefined): Promise<ChosenProfile | undefined> {
  const chosen = await findChosen(host, flag);
  if (chosen instanceof Failure) throw chosen;
  return chosen;
}

/**
 * The same for commands that work without a profile: undefined where none is chosen.
 * @throws {Failure} usage | setup
 */
export async function profileInUse(host: Host, flag: string | undefined): Promise<ChosenProfile | undefined> {
  const chosen = await findChosen(host, flag);
  return chosen instanceof Failure ? undefined : chosen;
}

/** The profile, or the failure where one is required and missing. */
async function findChosen(host: Host, flag: string | undefined): Promise<ChosenProfile | Failure | undefined> {
  if (flag !== undefined) return findNamed(host, flag, "usage", namedByFlag);
  const variable = await readVariable(host, "profile");
  if (variable !== undefined) return findNamed(host, variable.value, "setup", variable.source);
  const hasUrl = variableFor(host, "baseUrl") !== undefined;
  const secretVariable =
    variableFor(host, "secretKey") ?? variableFor(host, "accessToken") ?? variableFor(host, "webhookKey");
  if (hasUrl && secretVariable !== undefined) return undefined;
  const settings = await readSettings(host);
  if (settings.current !== undefined) return { ...findProfile(host, settings, settings.current), source: "current" };
  if (hasUrl) return undefined;
  return noneChosen(host, settings, secretVariable);
}

/** @throws {Failure} setup when there is no profile of that name */
export function findProfile(host: Host, settings: Settings, name: string): Omit<ChosenProfile, "source"> {
  const profile = profileOf(settings, name);
  if (profile === undefined) throw unknownProfile(host, settings, name);
  return { name, profile };
}

/**
 * @param field what gave the name, as in a message
 * @throws {Failure} with that ending when the name is invalid
 */
export function requireName(name: string, ending: "usage" | "setup", field: string): void {
  const problem = checkProfileName(name);
  if (problem === undefined) return;
  const small = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");
  const hint =
    checkProfileName(small) === undefined ? `Write it like: ${small}` : "See what there is: partner profile list";
  throw new Failure(ending, `${field} ${quote(name)} ${problem}.`, { hint });
}

async function findNamed(host: Host, name: string, ending: "usage" | "setup", field: string): Promise<ChosenProfile> {
  requireName(name, ending, field);
  return { ...findProfile(host, await readSettings(host), name), source: field };
}

/** That no profile was added, and where: another user, such as cron's, looks in another folder. */
export function noProfileYet(host: Host): string {
  return `There is no profile yet in ${namePath(configFolder(host))}.`;
}

function unknownProfile(host: Host, settings: Settings, name: string): Failure {
  const names = Object.keys(settings.profiles);
  const meant = closest(name, names);
  const guess = meant === undefined ? "" : `Did you mean ${meant}? `;
  const rest =
    names.length === 0
      ? `${noProfileYet(host)} To add one: partner profile add NAME`
      : `There are: ${names.join(", ")}.`;
  return new Failure("setup", `There is no profile ${name}.`, { hint: guess + rest });
}

function noneChosen(host: Host, settings: Settings, secretVariable: string | undefined): Failure {
  const names = Object.keys(settings.profiles);
  const [first] = names;
  if (first !== undefined) {
    return new Failure("setup", "No profile is chosen.", {
      hint: `Choose one: partner profile use ${first} (there are: ${names.join(", ")}), or name it: --profile ${first}`,
    });
  }
  if (secretVariable !== undefined) {
    return new Failure("setup", `${secretVariable} is set, but not the address that it belongs to.`, {
      hint: "Set PARTNER_BASE_URL too, or make a profile: partner profile add NAME",
    });
  }
  return new Failure("setup", noProfileYet(host), {
    hint: "Make one: partner profile add NAME. Or set PARTNER_BASE_URL, PARTNER_ACCOUNT_ID and PARTNER_SECRET_KEY. To try things out without an account: partner simulator run -- partner wallets list",
  });
}
