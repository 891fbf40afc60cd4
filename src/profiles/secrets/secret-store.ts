import type { Host } from "../../host/host.ts";
import type { Profile, SecretStoreKind } from "../profile.ts";
import { commandStore } from "./command-store.ts";
import { fileStore } from "./file-store.ts";
import { keyringStore } from "./keyring-store.ts";
import type { SecretStore } from "./secrets.ts";

/** What secrets are used for. */
export type SecretUse = "reads" | "moves money";

const stores: Readonly<Record<SecretStoreKind, (host: Host, name: string, profile: Profile) => SecretStore>> = {
  file: fileStore,
  keyring: keyringStore,
  command: commandStore,
};

/**
 * The store of the profile's secrets. Nothing is accessed yet.
 * @throws {Failure} setup when there is no configuration folder
 */
export function secretStoreOf(host: Host, name: string, profile: Profile, effect: SecretUse = "reads"): SecretStore {
  return effect === "moves money" && profile["money.secretStore"] !== undefined
    ? commandStore(host, name, profile, "money.credentialCommand")
    : stores[profile.secretStore](host, name, profile);
}
