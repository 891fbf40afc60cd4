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

/** How a wire is laid. */
export interface Laying {
  /** PEM text of certificates trusted besides the system's own. */
  readonly extraCertificates: string | undefined;
  /** Gets each request and answer, line by line. */
  readonly transcript: Transcript | undefined;
}

/**
 * All that a run can send over the network, each in a form that can't move money past the journal: a connection (reads,
 * and orders with the journal's claim), a look at an address (GET), and a post without credentials.
 */
export class Network {
  readonly #host: Pick<Host, "clock" | "ids" | "signal">;
  readonly #outlet: Outlet;

  constructor(host: Pick<Host, "clock" | "ids" | "signal">, outlet: Outlet) {
    this.#host = host;
    this.#outlet = outlet;
  }

  /** @throws where the certificates can't be used; so do the others */
  async connect(service: Service, laying: Laying): Promise<Connection> {
    return new Connection(service, await this.#lay(laying));
  }

  async openProbe(laying: Laying): Promise<Probe> {
    return probing(this.#host, await this.#lay(laying));
  }

  async openPost(laying: Laying): Promise<PlainPost> {
    return plainPost(await this.#lay(laying));
  }

  async #lay({ extraCertificates, transcript }: Laying): Promise<Transport> {
    const transport = await Outlet.open(this.#outlet, { extraCertificates });
    return transcript === undefined ? transport : loggingTransport(transport, transcript);
  }
}
