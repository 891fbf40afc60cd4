import type { Host } from "../host/host.ts";
import { Failure } from "../values/failure.ts";
import { enterSecretsCommand } from "./secrets/account-secrets.ts";
import { bindSecrets } from "./secrets/secret-scope.ts";
import { findProfile, requireName } from "./chosen-profile.ts";
import type { NewProfile } from "./new-profile.ts";
import { composeProfile, flagOf } from "./new-profile.ts";
import { profileOf } from "./profile.ts";
import type { Profile } from "./profile.ts";
import { isEmpty } from "./secrets/secret-set.ts";
import { secretStoreOf } from "./secrets/secret-store.ts";
import { readSettings } from "./settings/settings.ts";
import { editProfiles } from "./settings/store.ts";

/** The result of an edit. */
export interface EditOutcome {
  readonly name: string;
  /** True if it is now the current profile. */
  readonly isCurrent: boolean;
  /** Notes for people. */
  readonly notes: readonly string[];
}

/**
 * Adds a profile; the first one becomes the current one. The profile is written first, its secrets last: if the process
 * is killed in between, the profile lacks secrets, but no secrets are left without a profile, or with an earlier
 * profile's address.
 * @throws {Failure} usage when a value is invalid, or the name is taken and `replace` isn't set | setup
 */
export async function addProfile(host: Host, added: NewProfile): Promise<EditOutcome> {
  const { name, values, secrets = {}, replace = false } = added;
  requireName(name, "usage", "The profile name");
  const profile = composeProfile({ ...values, secretStore: values.secretStore ?? "file" }, secrets, {
    nameOf: flagOf,
    hint: "See what belongs there: partner profile add --help",
  });
  return editProfiles(host, async ({ settings, save }) => {
    const old = profileOf(settings, name);
    if (old !== undefined && !replace) throw nameTaken(name);
    const forgotten = old === undefined ? [] : await forgetSecrets(host, name, old);
    const store = secretStoreOf(host, name, profile);
    // Also checks that the store works, before the profile is written.
    if (profile.secretStore !== "command") await store.write({});
    const current = settings.current ?? name;
    await save({ ...settings, current, profiles: { ...settings.profiles, [name]: profile } });
    if (profile.secretStore === "command") return { name, isCurrent: current === name, notes: forgotten };
    const bound = bindSecrets(secrets, profile);
    await store.write(bound);
    const lacks = `It has no secrets yet. Enter them: ${enterSecretsCommand(name, ["secretKey"])}`;
    return { name, isCurrent: current === name, notes: isEmpty(bound) ? [...forgotten, lacks] : forgotten };
  });
}

/**
 * Refuses a name that can't be added, before any question about its values.
 * @throws {Failure} usage | setup
 */
export async function checkNewName(host: Host, name: string, replace: boolean): Promise<void> {
  requireName(name, "usage", "The profile name");
  if (!replace && profileOf(await readSettings(host), name) !== undefined) throw nameTaken(name);
}

/**
 * Makes a profile the current one.
 * @throws {Failure} usage | setup
 */
export async function useProfile(host: Host, name: string): Promise<EditOutcome> {
  requireName(name, "usage", "The profile name");
  return editProfiles(host, async ({ settings, save }) => {
    findProfile(host, settings, name);
    if (settings.current !== name) await save({ ...settings, current: name });
    return { name, isCurrent: true, notes: [] };
  });
}

/**
 * Removes a profile, its secrets first, so that none is left without a profile.
 * @throws {Failure} usage | setup
 */
export async function removeProfile(host: Host, name: string): Promise<EditOutcome> {
  requireName(name, "usage", "The profile name");
  return editProfiles(host, async ({ settings, save }) => {
    const notes = await forgetSecrets(host, name, findProfile(host, settings, name).profile);
    const { [name]: _removed, ...profiles } = settings.profiles;
    const { current, ...rest } = settings;
    const [next] = Object.keys(profiles);
    await save(current === undefined || current === name ? { ...rest, profiles } : { ...settings, profiles });
    const isLost = current === name && next !== undefined;
    const lost = `No profile is the current one now. Choose one: partner profile use ${next}`;
    return { name, isCurrent: false, notes: isLost ? [...notes, lost] : notes };
  });
}

/** Removes a profile's secrets. An unavailable keyring doesn't prevent the removal of the profile. */
async function forgetSecrets(host: Host, name: string, profile: Profile): Promise<string[]> {
  if (profile.secretStore === "command") return [];
  const store = secretStoreOf(host, name, profile);
  try {
    await store.write({});
    return [];
  } catch (error) {
    const isGone = profile.secretStore === "keyring" && error instanceof Failure && error.ending === "setup";
    if (!isGone) throw error;
    return [`The old secrets of ${name} may still be in ${store.place}. ${error.message}`];
  }
}

function nameTaken(name: string): Failure {
  return new Failure("usage", `There is a profile ${name} already.`, {
    hint: `Change it: partner profile set ${name} KEY=VALUE. To put another one in its place, add --replace.`,
  });
}
