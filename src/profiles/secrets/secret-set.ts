import * as z from "zod/mini";
import { Secret } from "../../values/secret.ts";
import type { BoundSecret, BoundSecrets, SecretKind } from "./secrets.ts";
import { secretKinds } from "./secrets.ts";

const boundSecretSchema = z.lazy(() => z.looseObject({ value: z.string(), boundTo: z.string() }));

/** The secrets of one profile as a file or a keyring keeps them, each with the address it was entered for. */
export const secretSetSchema = z.lazy(() =>
  z.looseObject({
    secretKey: z.optional(boundSecretSchema),
    accessToken: z.optional(boundSecretSchema),
    webhookKey: z.optional(boundSecretSchema),
  }),
);
export type SecretSet = z.infer<typeof secretSetSchema>;

/** Secrets as text, for the place where they are kept. The only other way out of a `Secret` is a request. */
export function encodeSecrets(secrets: BoundSecrets): SecretSet {
  return Object.fromEntries(
    kept(secrets).map(([kind, { value, boundTo }]) => [kind, { value: value.reveal(), boundTo }]),
  );
}

/** The other way round. */
export function decodeSecrets(set: SecretSet): BoundSecrets {
  return Object.fromEntries(
    secretKinds.flatMap((kind) => {
      const stored = set[kind];
      return stored === undefined ? [] : [[kind, { value: new Secret(stored.value), boundTo: stored.boundTo }]];
    }),
  );
}

/** True where not one secret is kept. */
export function isEmpty(secrets: BoundSecrets): boolean {
  return kept(secrets).length === 0;
}

function kept(secrets: BoundSecrets): [SecretKind, BoundSecret][] {
  return secretKinds.flatMap((kind): [SecretKind, BoundSecret][] => {
    const secret = secrets[kind];
    return secret === undefined ? [] : [[kind, secret]];
  });
}
