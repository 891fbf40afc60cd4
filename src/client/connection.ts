import type { Transport } from "../host/http/transport.ts";
import type { Service } from "./service.ts";

/**
 * The way to the service of one account. A `Reader` reads over it, and a `Mover` sends what the journal has a claim on;
 * nobody else gets at the wire in it.
 */
export class Connection {
  readonly service: Service;
  readonly #transport: Transport;

  constructor(service: Service, transport: Transport) {
    this.service = service;
    this.#transport = transport;
  }

  /** For `client/reader.ts` and `client/mover.ts` alone: `test/tidy` sees to it. */
  static transportOf(connection: Connection): Transport {
    return connection.#transport;
  }
}
