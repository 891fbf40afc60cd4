import type { Movement } from "../journal/movement.ts";
import { requestOf } from "../journal/requests/movement-request.ts";
import { withoutSecrets } from "../values/text/without-secrets.ts";

const secretForm = /^[\w-]{43}$/;

/** True for the last segment of a wait's callback address: 32 random bytes in base64url. */
export function isCallbackSecret(segment: string): boolean {
  return secretForm.test(segment);
}

/** The last segment of a path, whatever a proxy put before it. */
export function lastSegment(target: string): string {
  const [path = ""] = target.split(/[?#]/, 1);
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The secret that a request gave to the service; undefined where its callback address has none. */
export function callbackSecretOf(movement: Pick<Movement, "request">): string | undefined {
  const url = requestOf(movement)["callbackUrl"];
  const segment = typeof url === "string" ? lastSegment(url) : "";
  return isCallbackSecret(segment) ? segment : undefined;
}

type Texts = Pick<Movement, "request" | "response">;

/** Request and answer as texts without the secret: whoever knows it could report an outcome in the service's name. */
export function withoutCallbackSecret({ request, response }: Texts): Texts {
  const secret = callbackSecretOf({ request });
  if (secret === undefined) return { request, response };
  return {
    request: withoutSecrets(request, [secret]),
    response: response === null ? null : withoutSecrets(response, [secret]),
  };
}
