import type { Host } from "../host/host.ts";
import { Failure } from "../values/failure.ts";
import type { ChosenProfile } from "./chosen-profile.ts";
import { profileValue, variableValue } from "./given-values.ts";
import type { Environment } from "./profile.ts";
import { environments } from "./profile.ts";
import type { Sourced } from "./variables.ts";

/** Where requests go, and the environment of that address. */
export interface Address {
  readonly environment: Sourced<Environment>;
  readonly baseUrl: Sourced;
  readonly accountBaseUrl: Sourced;
}

/**
 * The address of an account. `PARTNER_BASE_URL` replaces all of it: the profile's environment and its address of group
 * B belong to another address, so these two come from their own variables, or are `live` and the same address.
 * Otherwise a sandbox profile would call a live address a sandbox, and a token in the environment would be sent to the
 * profile's bank.
 * @throws {Failure} setup
 */
export async function resolveAddress(host: Host, chosen: ChosenProfile | undefined): Promise<Address> {
  const given = await variableValue(host, "baseUrl");
  const profile = given === undefined ? chosen : undefined;
  const baseUrl = given ?? profileValue(profile, "baseUrl");
  if (baseUrl === undefined) throw new Failure("bug", "An account without an address was asked for.");
  const accountBaseUrl = (await variableValue(host, "accountBaseUrl")) ?? profileValue(profile, "accountBaseUrl");
  const environment = (await variableValue(host, "environment")) ?? profileValue(profile, "environment");
  return {
    baseUrl,
    accountBaseUrl: accountBaseUrl ?? { value: baseUrl.value, source: "same as baseUrl" },
    environment: {
      // An unnamed environment counts as the most critical one.
      value: environments.find((choice) => choice === environment?.value) ?? "live",
      source: environment?.source ?? "default",
    },
  };
}
