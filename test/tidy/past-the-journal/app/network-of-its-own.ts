import type { Connection } from "../client/connection.ts";
import { Network } from "../client/network.ts";
import type { Service } from "../client/service.ts";
import { Outlet } from "../host/http/outlet.ts";
import type { Session } from "./session.ts";

/** A network of its own, which needs a way out. */
export function connect({ host }: Session, service: Service): Promise<Connection> {
  const network = new Network(host, new Outlet(host.transport));
  return network.connect(service, { extraCertificates: undefined, transcript: undefined });
}
