import type { Host } from "../../host/host.ts";
import type { Profile, SecretStoreKind } from "../profile.ts";
import { commandStore } from "./command-store.ts";
import { fileStore } from "./file-store.ts";
import { keyringStore } from "./keyring-store.ts";
import type { SecretStore } from "./secrets.ts";

const stores: Readonly<Record<SecretStoreKind, (host: Host, name: string, profile: Profile) => SecretStore>> = {
  file: fileStore,
  keyring: keyringStore,
  command: commandStore,
};

/**
 * The place where the profile's secrets are. Opening it touches nothing.
 * @throws {Failure} setup when there is no configuration folder
 */
export function secretStoreOf(host: Host, name: string, profile: Profile): SecretStore {
  return stores[profile.secretStore](host, name, profile);
}
