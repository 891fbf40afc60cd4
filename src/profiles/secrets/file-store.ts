import { join } from "node:path";
import * as z from "zod/mini";
import type { Host } from "../../host/host.ts";
import { namePath } from "../../values/text/path-name.ts";
import { fileFailure } from "../settings/file-failures.ts";
import { configFolder } from "../folders.ts";
import { refuseSharedFolder } from "../settings/permissions.ts";
import { fileVersion, readJsonFile } from "../settings/json-file.ts";
import { decodeSecrets, encodeSecrets, isEmpty, secretSetSchema } from "./secret-set.ts";
import type { SecretStore } from "./secrets.ts";

const fileMode = 0o600;

const credentialsSchema = z.lazy(() =>
  z.looseObject({ version: z.literal(1), profiles: z.record(z.string(), secretSetSchema) }),
);
type Credentials = z.infer<typeof credentialsSchema>;

/**
 * Secrets in `credentials.json`, which only its owner may read. Only its owner may change the folder, or another user
 * could replace the file.
 * @throws {Failure} setup when there is no folder for it
 */
export function fileStore(host: Host, name: string): SecretStore {
  const folder = configFolder(host);
  const path = join(folder, "credentials.json");
  return {
    place: namePath(path),
    label: "credentials.json",
    async read() {
      const { profiles } = await readCredentials(host, folder, path);
      const set = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
      return set === undefined ? {} : decodeSecrets(set);
    },
    async write(secrets) {
      const credentials = await readCredentials(host, folder, path);
      if (isEmpty(secrets) && !Object.hasOwn(credentials.profiles, name)) return;
      const { [name]: _replaced, ...others } = credentials.profiles;
      const profiles = isEmpty(secrets) ? others : { ...others, [name]: encodeSecrets(secrets) };
      await replaceFile(host, path, `${JSON.stringify({ ...credentials, profiles }, undefined, 2)}\n`);
    },
  };
}

async function readCredentials(host: Host, folder: string, path: string): Promise<Credentials> {
  await refuseSharedFolder(host, folder);
  const credentials = await readJsonFile(host, path, credentialsSchema, { guard: "secret" });
  return credentials ?? { version: fileVersion, profiles: {} };
}

/** @throws {Failure} setup; the old file is then unchanged */
async function replaceFile(host: Host, path: string, content: string): Promise<void> {
  try {
    const draft = await host.files.draft(path, fileMode);
    try {
      await draft.write(content);
      await draft.commit();
    } catch (error) {
      await draft.abandon();
      throw error;
    }
  } catch (error) {
    throw fileFailure("write", path, error);
  }
}
