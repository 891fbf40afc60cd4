import type { AuthGroup } from "../contract/endpoint.ts";

/**
 * The simulator's credentials and signing key. They are always the same, as only this machine reaches it. The secret
 * key has all special characters of base64 (`/ + =`).
 */
export const credentials = {
  accountId: "simulator",
  secretKey: "c2ltdWxhdG9yL3NlY3JldCtrZXk/fi8rPj8+fn5+Pz8=",
  accessToken: "simulator-access-token-8f14e45fceea167a",
  webhookKey: "c2ltdWxhdG9yLXdlYmhvb2stc2lnbmluZy1rZXktMDE=",
} as const;

/** True when the headers carry the group's credentials. Spec 5. */
export function isAuthorized(auth: AuthGroup, headers: Readonly<Record<string, string>>): boolean {
  if (auth === "B") {
    const [, token] = /^bearer +(\S+)$/i.exec(headers["authorization"] ?? "") ?? [];
    return token === credentials.accessToken;
  }
  return headers["x-account-id"] === credentials.accountId && headers["x-secret-key"] === credentials.secretKey;
}
