import { Failure } from "../values/failure.ts";
import { flagName } from "../values/text/flag-name.ts";
import type { Profile } from "./profile.ts";
import { profileSchema } from "./profile.ts";
import type { ProfileKey, ProfileValues } from "./profile-values.ts";
import { checkProfileValues } from "./profile-values.ts";
import type { Secrets } from "./secrets/secrets.ts";
import { checkSecret, secretKinds } from "./secrets/secrets.ts";

export type ValueViolation = readonly [name: string, problem: string];

/** The unchecked values of a new profile. */
export interface NewProfile {
  readonly name: string;
  /** `secretStore` defaults to `file`. */
  readonly values: ProfileValues;
  readonly secrets?: Secrets | undefined;
  /** True to replace a profile of that name, whose secrets are removed. */
  readonly replace?: boolean | undefined;
}

/**
 * Makes a profile from the values. Violations name each value by `nameOf`.
 * @throws {Failure} usage, for all faults at once
 */
export function composeProfile(
  values: ProfileValues,
  secrets: Secrets,
  { nameOf, hint }: { readonly nameOf: (key: ProfileKey) => string; readonly hint: string },
): Profile {
  const named = [...checkProfileValues(values)].map(([key, problem]): ValueViolation => [nameOf(key), problem]);
  const violations = [...named, ...secretFaults(values, secrets)];
  if (violations.length > 0) throw violationsFound(violations, hint);
  return profileSchema.parse(Object.fromEntries(Object.entries(values).filter(([, text]) => text !== undefined)));
}

/** The flag of `profile add` that gives the value. */
export function flagOf(key: ProfileKey): string {
  return `--${flagName(key)}`;
}

/** Violations as one failure: names of values or flags, each with words that follow the name. */
export function violationsFound(violations: readonly ValueViolation[], hint: string): Failure {
  const [first] = violations;
  if (first !== undefined && violations.length === 1) return new Failure("usage", `${first[0]} ${first[1]}.`, { hint });
  const names = violations.map(([name]) => name).join(", ");
  return new Failure("usage", `Several values cannot be used: ${names}.`, {
    hint,
    details: Object.fromEntries(violations),
  });
}

function secretFaults({ secretStore }: ProfileValues, secrets: Secrets): ValueViolation[] {
  return secretKinds.flatMap((kind): ValueViolation[] => {
    const secret = secrets[kind];
    if (secret === undefined) return [];
    const problem =
      secretStore === "command" ? "cannot be kept: the credentialCommand gives it" : checkSecret(kind, secret.reveal());
    return problem === undefined ? [] : [[kind, problem]];
  });
}
