import type { Endpoint } from "../contract/endpoint.ts";
import { violationsOf } from "../contract/request.ts";
import type { ExtensionName } from "../values/extension.ts";
import { extensionNames } from "../values/extension.ts";
import { Failure } from "../values/failure.ts";
import type { Service } from "./service.ts";

/**
 * Checks a request's form, and that the service has its endpoint, before anything is sent.
 * @throws {Failure} usage; names every fault at once
 */
export function checkForm(endpoint: Endpoint, input: object, service: Service): void {
  checkPlace(endpoint, service);
  const violations = violationsOf(endpoint, input);
  if (Object.keys(violations).length > 0)
    throw new Failure("usage", `The ${endpoint.name} request is not valid; nothing was sent.`, {
      hint: "Correct what is named and run it again.",
      details: violations,
    });
}

/**
 * Checks that the service has this endpoint in the account's environment, and for this account. Spec 1.
 * @throws {Failure} usage
 */
export function checkPlace(endpoint: Endpoint, service: Service): void {
  const { extension } = endpoint;
  if (extension !== undefined) checkExtension(extension.name, service);
  if (endpoint.availability === "live only" && !service.live)
    throw new Failure("usage", `"${endpoint.name}" exists in the live environment only; nothing was sent.`, {
      hint: "Use a live profile, or the simulator: partner simulator run -- COMMAND",
    });
}

/**
 * Checks that an extension of the specification is on for this account.
 * @throws {Failure} usage; says what to set
 */
export function checkExtension(name: ExtensionName, service: Service): void {
  const way = turnedOnBy(name, service);
  if (way === undefined) return;
  throw new Failure("usage", `The extension ${name} is off for this account; nothing was sent.`, {
    hint: `It isn't part of the service's specification. If the account has it: ${way}`,
    money: "not moved",
  });
}

/** The variable that turns an extension on, and the command that does; undefined where it is on. */
export function turnedOnBy(
  name: ExtensionName,
  { extensions, profile = "NAME" }: Pick<Service, "extensions" | "profile">,
): string | undefined {
  if (extensions.has(name)) return undefined;
  const wanted = extensionNames.filter((one) => one === name || extensions.has(one)).join(",");
  return `PARTNER_EXTENSIONS=${wanted}, or: partner profile set ${profile} extensions=${wanted}`;
}
