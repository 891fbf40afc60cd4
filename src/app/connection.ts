import type { Service } from "../client/service.ts";
import { loggingTransport } from "../client/logging-transport.ts";
import type { Host } from "../host/host.ts";
import type { Transport } from "../host/http/transport.ts";
import type { Account } from "../profiles/account.ts";
import { joinUrl } from "../profiles/base-url.ts";
import { visible } from "../values/text/text.ts";
import { readCertificates, unusableCertificates } from "./certificates.ts";
import { credentialsOf } from "./credentials.ts";

/** The way to the service of an account: addresses, credentials, and the wire. */
export interface ServiceLine {
  readonly service: Service;
  readonly transport: Transport;
}

export interface LineSettings {
  readonly account: Promise<Account>;
  /** The path of `--ca-cert`. */
  readonly certificates: string | undefined;
  /** True writes a transcript of each request on stderr. */
  readonly debug: boolean;
  /** Where looked-up secrets are kept out of stderr. */
  readonly secrets: Set<string>;
}

/** @throws {Failure} usage | setup */
export async function openLine(host: Host, settings: LineSettings): Promise<ServiceLine> {
  const account = await settings.account;
  return {
    transport: await openWire(host, settings),
    service: {
      live: account.environment !== "sandbox",
      address: (group, target) => joinUrl(group === "A" ? account.baseUrl : account.accountBaseUrl, target),
      credentials: (group) => credentialsOf(group, account, settings.secrets),
    },
  };
}

/**
 * The wire alone, whatever the address.
 * @throws {Failure} usage when the certificates cannot be used
 */
export async function openWire(
  host: Host,
  { certificates, debug }: Pick<LineSettings, "certificates" | "debug">,
): Promise<Transport> {
  const extraCertificates = await readCertificates(certificates, host);
  const wire = await host.transport({ extraCertificates }).catch((cause: unknown) => {
    throw certificates === undefined ? cause : unusableCertificates(certificates, cause);
  });
  const transcript = (line: string) => void host.stderr.write(`${visible(line)}\n`);
  return debug ? loggingTransport(wire, transcript) : wire;
}
