import type { IncomingRequest } from "../host/server/listener.ts";

/** A request whose body several may read. */
export interface SharedRequest extends IncomingRequest {
  /** True once somebody has asked for the body. */
  readonly wasRead: boolean;
}

/** The same request with a body that several may read. */
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
