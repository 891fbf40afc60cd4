import { plainUrl } from "../base-url.ts";
import type { BoundSecrets, SecretKind, Secrets } from "./secrets.ts";
import { secretKinds } from "./secrets.ts";

/** The two addresses of an account; group B's defaults to `baseUrl`. */
export interface Addresses {
  readonly baseUrl: string;
  readonly accountBaseUrl?: string | undefined;
}

/** The address that a secret of that kind belongs to: the access token is group B's, the others are group A's. */
export function addressFor(kind: SecretKind, { baseUrl, accountBaseUrl }: Addresses): string {
  return plainUrl(kind === "accessToken" ? (accountBaseUrl ?? baseUrl) : baseUrl);
}

/** Binds newly entered secrets to these addresses. */
export function bindSecrets(secrets: Secrets, addresses: Addresses): BoundSecrets {
  return Object.fromEntries(
    secretKinds.flatMap((kind) => {
      const value = secrets[kind];
      return value === undefined ? [] : [[kind, { value, boundTo: addressFor(kind, addresses) }]];
    }),
  );
}
