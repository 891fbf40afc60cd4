import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { Secret } from "../../values/secret.ts";
import { showUrl } from "../base-url.ts";
import type { Addresses } from "./secret-scope.ts";
import { addressFor } from "./secret-scope.ts";
import type { ChosenProfile } from "../chosen-profile.ts";
import { namedByFlag } from "../chosen-profile.ts";
import type { BoundSecret, BoundSecrets, SecretKind, SecretStore } from "./secrets.ts";
import { checkSecret, secretKinds, secretWords } from "./secrets.ts";
import type { SecretUse } from "./secret-store.ts";
import { secretStoreOf } from "./secret-store.ts";
import type { Sourced } from "../variables.ts";
import { readVariable, variables } from "../variables.ts";

/** Secrets of one account, each with its source. */
export interface AccountSecrets {
  /** @throws {Failure} setup when it exists and must not be used */
  find(kind: SecretKind): Promise<Sourced<Secret> | undefined>;
  /** @throws {Failure} setup, also when it is missing */
  fetch(kind: SecretKind): Promise<Sourced<Secret>>;
}

/**
 * Secrets of an account, read one by one on demand. The profile's store is opened at most once, and not at all for
 * secrets in the environment. A stored secret is only given for the address that it was entered for.
 */
export function accountSecrets(
  host: Host,
  chosen: ChosenProfile | undefined,
  addresses: Addresses,
  effect: SecretUse = "reads",
): AccountSecrets {
  let opened: Promise<BoundSecrets> | undefined;
  const open = (store: SecretStore) => (opened ??= store.read());
  const find = async (kind: SecretKind) => {
    const given = await readSecretVariable(host, kind);
    if (given !== undefined || chosen === undefined) return given;
    const { name, profile } = chosen;
    const store = secretStoreOf(host, name, profile, effect);
    const secret = (await open(store))[kind];
    if (secret === undefined) return undefined;
    // A webhook key is never sent: it has to be the profile's, whatever address requests are sent to.
    refuseOtherAddress(kind, secret, chosen, kind === "webhookKey" ? profile : addresses);
    const subject = `The ${secretWords[kind]} of profile ${name} in ${store.place}`;
    return { value: usable(kind, secret.value.reveal(), subject), source: `profile ${name} (${store.label})` };
  };
  const fetch = async (kind: SecretKind) => {
    const found = await find(kind);
    if (found !== undefined) return found;
    if (chosen === undefined) throw missingVariable(kind);
    const store = secretStoreOf(host, chosen.name, chosen.profile, effect);
    throw missingSecret(kind, await open(store), chosen, store);
  };
  return { find, fetch };
}

/**
 * A secret that the environment gives.
 * @throws {Failure} setup when it isn't a valid secret
 */
export async function readSecretVariable(host: Host, kind: SecretKind): Promise<Sourced<Secret> | undefined> {
  const given = await readVariable(host, kind);
  return given === undefined ? undefined : { value: usable(kind, given.value, given.source), source: given.source };
}

/** The command that puts secrets into a profile that exists. */
export function enterSecretsCommand(name: string, kinds: readonly SecretKind[]): string {
  const members = kinds.map((kind) => `"${kind}":"…"`).join(",");
  return `partner profile set ${name} (it asks; in a script: --secrets-from FILE, with {${members}} in it)`;
}

function usable(kind: SecretKind, text: string, subject: string): Secret {
  const problem = checkSecret(kind, text);
  if (problem === undefined) return new Secret(text);
  throw new Failure("setup", `${subject} ${problem}.`, {
    hint: "Copy it again from where you got it, all of it.",
    reason: kind === "webhookKey" ? "bad key" : undefined,
  });
}

function missingSecret(
  kind: SecretKind,
  kept: BoundSecrets,
  { name, source }: ChosenProfile,
  store: SecretStore,
): Failure {
  const byCommand = store.label.endsWith("credentialCommand");
  const hasNone = secretKinds.every((any) => kept[any] === undefined);
  const message =
    hasNone && !byCommand
      ? `Profile ${name} has no secrets in ${store.place}: it was added without them, or adding it was interrupted.`
      : `Profile ${name} has no ${secretWords[kind]} in ${store.place}.`;
  const fill = byCommand
    ? `Let that program print ${kind}`
    : `Enter ${hasNone ? "them" : "it"}: ${enterSecretsCommand(name, [kind])}`;
  // A profile that the command line names is the account whole: no variable would count.
  const hint = source === namedByFlag ? `${fill}.` : `${fill}, or set ${variablesFor(kind)}.`;
  return new Failure("setup", message, { hint });
}

function refuseOtherAddress(kind: SecretKind, secret: BoundSecret, chosen: ChosenProfile, addresses: Addresses): void {
  const address = addressFor(kind, addresses);
  if (secret.boundTo === address) return;
  const message = `The ${secretWords[kind]} of profile ${chosen.name} was entered for ${showUrl(secret.boundTo)} and is not used for ${showUrl(address)}.`;
  const isProfiles = addressFor(kind, chosen.profile) === address;
  const hint = isProfiles
    ? `Enter it again: ${enterSecretsCommand(chosen.name, [kind])}`
    : `Set ${variablesFor(kind)} too, or unset the variable that gives the address: ${addressVariablesFor(kind)}.`;
  throw new Failure("setup", message, { hint });
}

function missingVariable(kind: SecretKind): Failure {
  return new Failure(
    "setup",
    `There is no ${secretWords[kind]}: the address comes from ${variables.baseUrl} and no profile is used.`,
    {
      hint: `Set ${variablesFor(kind)}.`,
    },
  );
}

function variablesFor(kind: SecretKind): string {
  return kind === "secretKey" ? `${variables.accountId} and ${variables.secretKey}` : variables[kind];
}

function addressVariablesFor(kind: SecretKind): string {
  return kind === "accessToken" ? `${variables.accountBaseUrl} or ${variables.baseUrl}` : variables.baseUrl;
}
