import type { Host } from "../host/host.ts";
import { closest } from "../values/text/closest.ts";
import { Failure } from "../values/failure.ts";
import { enterSecretsCommand } from "./secrets/account-secrets.ts";
import { addressFor, bindSecrets } from "./secrets/secret-scope.ts";
import { findProfile, requireName } from "./chosen-profile.ts";
import type { EditOutcome } from "./edit.ts";
import type { ValueViolation } from "./new-profile.ts";
import { composeProfile, violationsFound } from "./new-profile.ts";
import type { Profile } from "./profile.ts";
import type { ProfileKey } from "./profile-values.ts";
import { isProfileKey, profileKeys } from "./profile-values.ts";
import { changedNicknames, isNicknameKey, nicknameViolation } from "./nicknames.ts";
import { isEmpty } from "./secrets/secret-set.ts";
import type { BoundSecrets, Secrets } from "./secrets/secrets.ts";
import { secretKinds, secretWords } from "./secrets/secrets.ts";
import { secretStoreOf } from "./secrets/secret-store.ts";
import { editProfiles } from "./settings/store.ts";

/** The keys of `profile set`, for its help and for messages. */
export const keyList = [...profileKeys.filter((key) => key !== "secretStore"), "account.NICKNAME"].join(", ");
const setHelp = "See how: partner profile set --help";

export interface ProfileChange {
  readonly name: string;
  /** `key=value`; an empty value removes an optional one. */
  readonly changes: readonly string[];
  /** Secrets to add or replace. */
  readonly secrets?: Secrets | undefined;
}

/**
 * Changes values and secrets of a profile. Secrets stay bound to the address that they were entered for: after a change
 * of address, notes say which of them have to be entered again.
 * @throws {Failure} usage, for all faults at once | setup
 */
export async function setProfile(host: Host, { name, changes, secrets = {} }: ProfileChange): Promise<EditOutcome> {
  requireName(name, "usage", "The profile name");
  const changed = parseChanges(name, changes);
  return editProfiles(host, async ({ settings, save }) => {
    const old = findProfile(host, settings, name).profile;
    const profile = changeProfile(old, changed, secrets);
    const store = secretStoreOf(host, name, profile);
    const entered = bindSecrets(secrets, profile);
    if (changed.size === 0 && isEmpty(entered)) throw nothingToChange(name);
    const kept = profile.secretStore === "command" ? {} : await store.read();
    const next = { ...kept, ...entered };
    await save({ ...settings, profiles: { ...settings.profiles, [name]: profile } });
    if (!isEmpty(entered)) await store.write(next);
    return { name, isCurrent: settings.current === name, notes: orphanNotes(name, next, old, profile) };
  });
}

/** The old profile with the changes; unknown members, which a later version wrote, are kept. */
function changeProfile(old: Profile, changed: ReadonlyMap<string, string>, secrets: Secrets): Profile {
  const values = profileKeys.map((key): [ProfileKey, string | undefined] => [key, changed.get(key) ?? old[key]]);
  const wanted = Object.fromEntries(values.filter(([, text]) => text !== ""));
  const unknown = Object.fromEntries(Object.entries(old).filter(([key]) => !isProfileKey(key) && !isNicknameKey(key)));
  const nicknames = changedNicknames(old, new Map([...changed].filter(([key]) => isNicknameKey(key))));
  return { ...unknown, ...nicknames, ...composeProfile(wanted, secrets, { nameOf: (key) => key, hint: setHelp }) };
}

function parseChanges(name: string, changes: readonly string[]): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  const violations: ValueViolation[] = [];
  for (const change of changes) {
    const [, key = "", value = ""] = /^([^=]*)=(.*)$/su.exec(change) ?? [];
    const problem = keyProblem(name, key, value, changed);
    if (problem === undefined) changed.set(key, value);
    else violations.push(problem);
  }
  if (violations.length > 0) throw violationsFound(violations, setHelp);
  return changed;
}

function keyProblem(
  name: string,
  key: string,
  value: string,
  changed: ReadonlyMap<string, string>,
): ValueViolation | undefined {
  if (key === "secretStore") {
    return [key, `cannot be changed: add the profile again (partner profile add ${name} --replace)`];
  }
  if (changed.has(key)) return [key, "is given twice"];
  if (isProfileKey(key)) return undefined;
  if (isNicknameKey(key)) {
    const problem = nicknameViolation(key, value);
    return problem === undefined ? undefined : [key, problem];
  }
  const meant = closest(key, [...profileKeys, ...secretKinds]);
  // Text that resembles no key may be a secret, which can end in an equals sign: it is not repeated.
  if (meant === undefined) return ["A change", `must look like key=value, with one of the keys ${keyList}`];
  if (isProfileKey(meant)) return [key, `isn't a key of a profile; ${meant} is`];
  return [key, `is a secret, and other users can read command lines: partner profile set ${name} asks for it`];
}

/** Notes on secrets for an address that the profile no longer has. */
function orphanNotes(name: string, kept: BoundSecrets, old: Profile, profile: Profile): string[] {
  const orphans = secretKinds.filter((kind) => {
    const moved = addressFor(kind, old) !== addressFor(kind, profile);
    return moved && kept[kind] !== undefined && kept[kind].boundTo !== addressFor(kind, profile);
  });
  if (orphans.length === 0) return [];
  const words = orphans.map((kind) => secretWords[kind]).join(", ");
  return [
    `Entered for the old address, so not used for the new one: ${words}. Enter again: ${enterSecretsCommand(name, orphans)}`,
  ];
}

function nothingToChange(name: string): Failure {
  return new Failure("usage", "There is nothing to change.", {
    hint: `Say what: partner profile set ${name} KEY=VALUE, with one of the keys ${keyList}.`,
  });
}
