import type { Transport, WireRequest, WireResponse } from "./transport.ts";

/** JSON text for any address. It has no field for headers, and therefore none for credentials. */
export interface PostRequest extends Pick<WireRequest, "url" | "limits" | "signal" | "freshConnection"> {
  readonly body: string;
  readonly requestId: string;
}

/** Posts it once, without credentials: the service answers 401 to any order in it. */
export type PlainPost = (request: PostRequest) => Promise<WireResponse>;

export function plainPost(transport: Transport): PlainPost {
  return ({ url, body, requestId, limits, signal, freshConnection }) => {
    const headers = { "content-type": "application/json", "x-request-id": requestId };
    return transport({ method: "POST", url, headers, body, limits, signal, freshConnection });
  };
}
