import type { Endpoint } from "../../contract/endpoint.ts";
import { endpoints } from "../../contract/endpoints.ts";
import { extensions } from "../../contract/extensions/extensions.ts";
import { turnedOnBy } from "../../client/form-check.ts";
import type { Service } from "../../client/service.ts";

/** An endpoint that `api` knows. */
export interface KnownEndpoint {
  readonly endpoint: Endpoint;
  /** The command line that turns it on, where the account's settings leave it off. */
  readonly turnedOnBy?: string | undefined;
}

/** Every endpoint that `api` knows, those that are off as well: a refusal names what turns them on. */
export function knownEndpoints(service: Service): readonly KnownEndpoint[] {
  const known: readonly Endpoint[] = [...endpoints, ...extensions];
  return known.map((endpoint) => ({
    endpoint,
    turnedOnBy: endpoint.extension && turnedOnBy(endpoint.extension.name, service),
  }));
}
