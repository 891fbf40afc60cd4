import type { Host } from "../host/host.ts";
import { Outlet } from "../host/http/outlet.ts";
import type { PlainPost } from "../host/http/plain-post.ts";
import { plainPost } from "../host/http/plain-post.ts";
import type { Transport } from "../host/http/transport.ts";
import { Connection } from "./connection.ts";
import type { Probe } from "./probe.ts";
import { probing } from "./probe.ts";
import type { Service } from "./service.ts";
import type { Transcript } from "./logging-transport.ts";
import { loggingTransport } from "./logging-transport.ts";

/** How the wire is opened. */
export interface WireSettings {
  /** PEM text of certificates to trust in addition to the system's own. */
  readonly extraCertificates: string | undefined;
  /** Gets each request and answer, line by line. */
  readonly transcript: Transcript | undefined;
}

/**
 * All that a run can send over the network, each in a form that can't move money past the journal: a connection (reads,
 * and orders with the journal's claim), a probe of an address (GET), and a post without credentials.
 */
export class Network {
  readonly #host: Pick<Host, "clock" | "ids" | "signal">;
  readonly #outlet: Outlet;

  constructor(host: Pick<Host, "clock" | "ids" | "signal">, outlet: Outlet) {
    this.#host = host;
    this.#outlet = outlet;
  }

  /** @throws where the certificates can't be used, as do the next two */
  async connect(service: Service, settings: WireSettings): Promise<Connection> {
    return new Connection(service, await this.#open(settings));
  }

  async openProbe(settings: WireSettings): Promise<Probe> {
    return probing(this.#host, await this.#open(settings));
  }

  async openPost(settings: WireSettings): Promise<PlainPost> {
    return plainPost(await this.#open(settings));
  }

  async #open({ extraCertificates, transcript }: WireSettings): Promise<Transport> {
    const transport = await Outlet.open(this.#outlet, { extraCertificates });
    return transcript === undefined ? transport : loggingTransport(transport, transcript);
  }
}
