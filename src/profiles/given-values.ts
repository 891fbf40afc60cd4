import type { Host } from "../host/host.ts";
import { Failure } from "../values/failure.ts";
import type { ChosenProfile } from "./chosen-profile.ts";
import type { ProfileKey } from "./profile-values.ts";
import { checkProfileValue } from "./profile-values.ts";
import type { Sourced, VariableKey } from "./variables.ts";
import { readVariable } from "./variables.ts";

/**
 * A profile's value from the environment; undefined where it is not set.
 * @throws {Failure} setup when it is invalid; the words never repeat it | usage where it names an unknown extension
 */
export async function variableValue(host: Host, key: ProfileKey & VariableKey): Promise<Sourced | undefined> {
  const given = await readVariable(host, key);
  const problem = given === undefined ? undefined : checkProfileValue(key, given.value);
  if (given === undefined || problem === undefined) return given;
  throw new Failure(key === "extensions" ? "usage" : "setup", `${given.source} ${problem}.`, {
    hint: `Correct or unset ${given.source}.`,
  });
}

/**
 * A value from the profile, which people may have edited by hand; undefined where it is not set.
 * @throws {Failure} setup when it is invalid; the words never repeat it
 */
export function profileValue(chosen: ChosenProfile | undefined, key: ProfileKey): Sourced | undefined {
  const value = chosen?.profile[key];
  if (chosen === undefined || value === undefined) return undefined;
  const problem = checkProfileValue(key, value);
  if (problem === undefined) return { value, source: `profile ${chosen.name}` };
  throw new Failure("setup", `The ${key} of profile ${chosen.name} ${problem}.`, {
    hint: `Correct it: partner profile set ${chosen.name} ${key}=VALUE`,
  });
}
