import type { Transport, WireRequest, WireResponse } from "./transport.ts";

/** JSON text for anybody's address. There is no place in it for a header, and so none for credentials. */
export interface Letter extends Pick<WireRequest, "url" | "limits" | "signal" | "freshConnection"> {
  readonly body: string;
  readonly requestId: string;
}

/** Posts a letter once. It proves to nobody who sent it: the service answers 401 to what would move money. */
export type PlainPost = (letter: Letter) => Promise<WireResponse>;

export function plainPost(transport: Transport): PlainPost {
  return ({ url, body, requestId, limits, signal, freshConnection }) => {
    const headers = { "content-type": "application/json", "x-request-id": requestId };
    return transport({ method: "POST", url, headers, body, limits, signal, freshConnection });
  };
}
