import type { Connection } from "../client/connection.ts";
import { Network } from "../client/network.ts";
import type { Service } from "../client/service.ts";
import type { Session } from "../app/session.ts";

/** A network of one's own, which needs a host with a wire. */
export function connect({ host }: Session, service: Service): Promise<Connection> {
  const network = new Network(host, host.transport);
  return network.connect(service, { extraCertificates: undefined, transcript: undefined });
}
