import { Failure } from "../values/failure.ts";
import type { Profile } from "./profile.ts";
import { profileSchema } from "./profile.ts";
import type { ProfileKey, ProfileValues } from "./profile-values.ts";
import { checkProfileValues } from "./profile-values.ts";
import type { Secrets } from "./secrets.ts";
import { checkSecret, secretKinds } from "./secrets.ts";

/** A profile as a person gives it: text that nobody has looked at yet. */
export interface NewProfile {
  readonly name: string;
  /** `secretStore` is `file` where it is left out. */
  readonly values: ProfileValues;
  readonly secrets?: Secrets | undefined;
  /** Puts it in the place of one of that name, whose secrets are forgotten. */
  readonly replace?: boolean | undefined;
}

/**
 * The profile that the values make.
 * @param nameOf the name by which the person knows a value
 * @throws {Failure} usage; names every fault at once
 */
export function composeProfile(values: ProfileValues, secrets: Secrets, nameOf: (key: ProfileKey) => string): Profile {
  const named = [...checkProfileValues(values)].map(([key, problem]): [string, string] => [nameOf(key), problem]);
  const faults = [...named, ...secretFaults(values, secrets)];
  if (faults.length > 0) throw faultsFound(faults);
  return profileSchema.parse(Object.fromEntries(Object.entries(values).filter(([, text]) => text !== undefined)));
}

/** The flag of `profile add` that gives the value. */
export function flagOf(key: ProfileKey): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Names of values or flags, and what is wrong with them, as one failure. */
export function faultsFound(faults: readonly (readonly [name: string, problem: string])[]): Failure {
  const sentences = faults.map(([name, problem]): [string, string] => [name, `${name} ${problem}.`]);
  return new Failure("usage", sentences.map(([, sentence]) => sentence).join(" "), {
    hint: "See what belongs there: partner profile add --help",
    details: Object.fromEntries(sentences),
  });
}

function secretFaults({ secretStore }: ProfileValues, secrets: Secrets): [string, string][] {
  return secretKinds.flatMap((kind): [string, string][] => {
    const secret = secrets[kind];
    if (secret === undefined) return [];
    const problem =
      secretStore === "command" ? "cannot be kept: the credentialCommand gives it" : checkSecret(kind, secret.reveal());
    return problem === undefined ? [] : [[kind, problem]];
  });
}
