import * as z from "zod/mini";
import { Secret } from "../../values/secret.ts";
import type { BoundSecret, BoundSecrets, SecretKind } from "./secrets.ts";
import { secretKinds } from "./secrets.ts";

const boundSecretSchema = z.lazy(() => z.looseObject({ value: z.string(), boundTo: z.string() }));

/** The secrets of one profile as a file or keyring keeps them, each with the address that it was entered for. */
export const secretSetSchema = z.lazy(() =>
  z.looseObject({
    secretKey: z.optional(boundSecretSchema),
    accessToken: z.optional(boundSecretSchema),
    webhookKey: z.optional(boundSecretSchema),
  }),
);
export type SecretSet = z.infer<typeof secretSetSchema>;

/** Secrets as text, to be stored. Otherwise, a `Secret` is only revealed in a request. */
export function encodeSecrets(secrets: BoundSecrets): SecretSet {
  return Object.fromEntries(
    kept(secrets).map(([kind, { value, boundTo }]) => [kind, { value: value.reveal(), boundTo }]),
  );
}

/** Decodes stored secrets. */
export function decodeSecrets(set: SecretSet): BoundSecrets {
  return Object.fromEntries(
    secretKinds.flatMap((kind) => {
      const stored = set[kind];
      return stored === undefined ? [] : [[kind, { value: new Secret(stored.value), boundTo: stored.boundTo }]];
    }),
  );
}

/** True where there are no secrets. */
export function isEmpty(secrets: BoundSecrets): boolean {
  return kept(secrets).length === 0;
}

function kept(secrets: BoundSecrets): [SecretKind, BoundSecret][] {
  return secretKinds.flatMap((kind): [SecretKind, BoundSecret][] => {
    const secret = secrets[kind];
    return secret === undefined ? [] : [[kind, secret]];
  });
}
