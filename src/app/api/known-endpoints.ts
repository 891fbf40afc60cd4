import type { Endpoint } from "../../contract/endpoint.ts";
import { endpoints } from "../../contract/endpoints.ts";

/** An endpoint that `api` knows. */
export interface KnownEndpoint {
  readonly endpoint: Endpoint;
  /** The command line that turns it on, where the account's settings leave it off. */
  readonly turnedOnBy?: string | undefined;
}

/** Every endpoint that `api` knows, those that are off as well: a refusal names what turns them on. */
export const knownEndpoints: readonly KnownEndpoint[] = endpoints.map((endpoint) => ({ endpoint }));
