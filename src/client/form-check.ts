import type { Endpoint } from "../contract/endpoint.ts";
import { violationsOf } from "../contract/request.ts";
import { Failure } from "../values/failure.ts";
import type { Service } from "./service.ts";

/**
 * What the specification says of a request's form and place, checked before anything is sent.
 * @throws {Failure} usage; names every fault at once
 */
export function checkForm(endpoint: Endpoint, input: object, service: Service): void {
  checkPlace(endpoint, service);
  const violations = violationsOf(endpoint, input);
  if (Object.keys(violations).length > 0)
    throw new Failure("usage", `The ${endpoint.name} request is not right yet; nothing was sent.`, {
      hint: "Correct what is named and run it again.",
      details: violations,
    });
}

/**
 * Whether the service has this endpoint in the account's environment. Spec 1.
 * @throws {Failure} usage
 */
export function checkPlace(endpoint: Endpoint, service: Service): void {
  if (endpoint.availability === "live only" && !service.live)
    throw new Failure("usage", `"${endpoint.name}" exists in the live environment only; nothing was sent.`, {
      hint: "Use a live profile, or the simulator: partner simulator run -- COMMAND",
    });
}
