import type { Prompts } from "../../host/process/prompts.ts";
import type { ProfileKey, ProfileValues } from "../../profiles/profile-values.ts";
import { checkProfileValue } from "../../profiles/profile-values.ts";
import { environments, secretStores } from "../../profiles/profile.ts";
import { readSecrets } from "../../profiles/secrets/secret-input.ts";
import type { SecretKind, Secrets } from "../../profiles/secrets/secrets.ts";
import { checkSecret, secretKinds, secretWords } from "../../profiles/secrets/secrets.ts";
import { Secret } from "../../values/secret.ts";
import type { Session } from "../session.ts";

const questions: Readonly<Partial<Record<ProfileKey, string>>> = {
  baseUrl: "Base URL of the service",
  accountId: "Account id",
  accountBaseUrl: "Base URL of merchant accounts (empty: the same)",
  credentialCommand: "Command that prints the secrets as JSON",
};

/** What each choice means, beside its name. */
const environmentWords: Readonly<Record<(typeof environments)[number], string>> = {
  live: "live: the real service, with real money",
  sandbox: "sandbox: the service's own test system",
  simulator: "simulator: a simulator on this machine (partner simulator start)",
};
const storeWords: Readonly<Record<(typeof secretStores)[number], string>> = {
  file: "file: in the profiles' folder, readable by you alone",
  keyring: "keyring: the keyring of this system",
  command: "command: a program prints them, such as a password manager",
};

/** Asks a person for what the flags left out. */
export async function askForValues(given: ProfileValues, prompts: Prompts): Promise<ProfileValues> {
  const environment =
    given.environment ??
    (await prompts.choose(
      "Environment",
      environments.map((value) => ({ value, name: environmentWords[value] })),
    ));
  const baseUrl = given.baseUrl ?? (await askFor("baseUrl", prompts));
  const accountBaseUrl = given.accountBaseUrl ?? ((await askFor("accountBaseUrl", prompts)) || undefined);
  const accountId = given.accountId ?? (await askFor("accountId", prompts));
  const secretStore =
    given.secretStore ??
    (await prompts.choose(
      "Where to keep the secrets",
      secretStores.map((value) => ({ value, name: storeWords[value] })),
    ));
  const asksProgram = secretStore === "command" && given.credentialCommand === undefined;
  const credentialCommand = asksProgram ? await askFor("credentialCommand", prompts) : given.credentialCommand;
  return { ...given, environment, baseUrl, accountBaseUrl, accountId, secretStore, credentialCommand };
}

/** Asks for the secrets that nothing else gave. An empty answer leaves one out. */
export async function askForSecrets(given: Secrets, prompts: Prompts): Promise<Secrets> {
  const secrets: { [K in SecretKind]?: Secret | undefined } = { ...given };
  for (const kind of secretKinds) {
    if (secrets[kind] !== undefined) continue;
    const check = (typed: string) => (typed.trim() === "" ? true : explained(checkSecret(kind, typed.trim())));
    const typed = (await prompts.secret({ message: `The ${secretWords[kind]} (empty: none)`, check })).trim();
    if (typed !== "") secrets[kind] = new Secret(typed);
  }
  return secrets;
}

/** Pasted text often has white space around it. */
async function askFor(key: ProfileKey, prompts: Prompts): Promise<string> {
  const optional = key === "accountBaseUrl";
  const check = (typed: string) =>
    optional && typed.trim() === "" ? true : explained(checkProfileValue(key, typed.trim()));
  return (await prompts.text({ message: questions[key] ?? key, check })).trim();
}

function explained(problem: string | undefined): true | string {
  return problem === undefined ? true : `It ${problem}.`;
}

/**
 * The secrets of `--secrets-from`. A person who types them gets a note, since nothing else shows that the program
 * waits.
 * @throws {Failure} usage
 */
export async function givenSecrets(from: string, session: Session): Promise<Secrets> {
  if (from === "-" && session.host.stdin.isTerminal)
    await session.note("Paste the secrets as JSON, then press Enter and Ctrl-D. They are shown as they come.");
  return readSecrets(session.host, from);
}
