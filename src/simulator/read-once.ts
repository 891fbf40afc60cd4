import type { IncomingRequest } from "../host/server/listener.ts";

/** A request whose body can be read several times. */
export interface SharedRequest extends IncomingRequest {
  /** True after the body was requested. */
  readonly wasRead: boolean;
}

/** Makes the body of a request readable several times. */
export function readOnce(request: IncomingRequest): SharedRequest {
  let body: Promise<Uint8Array> | undefined;
  const { method, target, headers } = request;
  return {
    method,
    target,
    headers,
    get wasRead() {
      return body !== undefined;
    },
    body: (maxBytes) => (body ??= request.body(maxBytes)),
  };
}
