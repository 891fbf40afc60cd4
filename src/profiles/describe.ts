import type { Host } from "../host/host.ts";
import { Failure } from "../values/failure.ts";
import { namePostgres } from "../values/addresses/postgres-url.ts";
import { mask } from "../values/secret.ts";
import { showUrl } from "./base-url.ts";
import { profileValue } from "./given-values.ts";
import { nicknamesOf } from "./nicknames.ts";
import { resolveJournal } from "./journal-address.ts";
import type { Environment, SecretStoreKind } from "./profile.ts";
import type { AccountParts } from "./resolve.ts";
import { gatherAccountParts } from "./resolve.ts";
import type { SecretKind } from "./secrets/secrets.ts";
import { secretKinds } from "./secrets/secrets.ts";
import { profileKeys } from "./profile-values.ts";
import { readSettings } from "./settings/settings.ts";
import type { Sourced } from "./variables.ts";
import { variableFor } from "./variables.ts";
import { hostOfAccount } from "./whole-account.ts";

/** Limits and book settings: shown only where they are set, as most profiles have none. */
const seldomKeys = profileKeys.filter((key) => key.includes("."));

/** One line of `profile list`. */
export interface ListedProfile {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly environment: Environment;
  readonly baseUrl: string;
  readonly accountId: string;
  readonly secretStore: SecretStoreKind;
}

/** One line of `profile show`. */
export interface DescribedValue {
  readonly name: string;
  /** Masked if it is secret; undefined if it isn't set. */
  readonly value: string | undefined;
  readonly source: string;
}

/**
 * Every profile, by name.
 * @throws {Failure} setup
 */
export async function listProfiles(host: Host): Promise<ListedProfile[]> {
  const { current, profiles } = await readSettings(host);
  return Object.keys(profiles)
    .toSorted()
    .flatMap((name) => {
      const profile = profiles[name];
      if (profile === undefined) return [];
      const { environment, baseUrl, accountId, secretStore } = profile;
      return [{ name, isCurrent: name === current, environment, baseUrl: showUrl(baseUrl), accountId, secretStore }];
    });
}

/**
 * The values that a command would use now, with the source of each: for the named profile, or the one in use. No
 * credentialCommand is run: its secrets are not checked.
 * @throws {Failure} usage | setup
 */
export async function describeProfile(host: Host, name?: string): Promise<DescribedValue[]> {
  const parts = await gatherAccountParts(host, { profile: name });
  const world = hostOfAccount(host, name);
  const { chosen, environment, baseUrl, accountBaseUrl, accountId, callbackUrl } = parts;
  const journal = await describeJournal(host, name);
  const values: [string, Sourced | undefined][] = [
    ["profile", chosen === undefined ? undefined : { value: chosen.name, source: chosen.source }],
    ["environment", environment],
    ["baseUrl", baseUrl],
    ["accountBaseUrl", accountBaseUrl],
    ["accountId", accountId],
    ["callbackUrl", callbackUrl],
    ["secretStore", profileValue(chosen, "secretStore")],
    ["credentialCommand", profileValue(chosen, "credentialCommand")],
  ];
  if (journal !== undefined) values.push(["journal", journal]);
  if (parts.extensions !== undefined) values.push(["extensions", parts.extensions]);
  if (chosen === undefined)
    values.push(["limits", { value: "none", source: "variables without a profile have no limits" }]);
  for (const key of seldomKeys) {
    const value = profileValue(chosen, key);
    if (value !== undefined) values.push([key, value]);
  }
  if (chosen !== undefined)
    for (const [nickname, value] of nicknamesOf(chosen))
      values.push([`account.${nickname}`, { value, source: `profile ${chosen.name}` }]);
  const rows = values.map(([name, found]) => ({ name, value: found?.value, source: found?.source ?? "not set" }));
  for (const kind of secretKinds) rows.push(await describeSecret(world, kind, parts));
  return rows;
}

/** The shared journal's address, without user and password. */
async function describeJournal(host: Host, name: string | undefined): Promise<Sourced | undefined> {
  const found = await resolveJournal(host, name);
  return found === undefined ? undefined : { value: namePostgres(found.url), source: found.source };
}

async function describeSecret(
  host: Host,
  kind: SecretKind,
  { chosen, secrets }: AccountParts,
): Promise<DescribedValue> {
  if (variableFor(host, kind) === undefined && chosen?.profile.secretStore === "command") {
    return { name: kind, value: "(asked for when it is needed)", source: `profile ${chosen.name} (credentialCommand)` };
  }
  try {
    const found = await secrets.find(kind);
    if (found === undefined) return { name: kind, value: undefined, source: "not set" };
    return { name: kind, value: mask(found.value.reveal()), source: found.source };
  } catch (error) {
    if (!(error instanceof Failure) || error.ending !== "setup") throw error;
    return { name: kind, value: "(not usable)", source: error.message };
  }
}
