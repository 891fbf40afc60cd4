/** The credentials of a request, by group. Spec 5. */
export type Credentials =
  | { readonly group: "A"; readonly accountId: string; readonly secretKey: string }
  | { readonly group: "B"; readonly accessToken: string };

export function secretOf(credentials: Credentials): string {
  return credentials.group === "A" ? credentials.secretKey : credentials.accessToken;
}

/** Headers whose values are secrets and are never in a transcript. */
export const secretHeaders: readonly string[] = ["x-secret-key", "authorization", "proxy-authorization"];

/**
 * The headers of a request, with one group's credentials and never the other's. Spec 4, 5. Every request has
 * `content-type`, even a GET, since group B answers 400 without it (spec 7.2).
 */
export function requestHeaders(credentials: Credentials, requestId: string): Record<string, string> {
  const common = { "content-type": "application/json", accept: "application/json", "x-request-id": requestId };
  return credentials.group === "A"
    ? { ...common, "x-account-id": credentials.accountId, "x-secret-key": credentials.secretKey }
    : { ...common, authorization: `Bearer ${credentials.accessToken}` };
}
