import type { Transport } from "../host/http/transport.ts";
import type { Service } from "./service.ts";

/**
 * The connection to the service for one account. A `Reader` reads over it, and a `Mover` sends orders that the journal
 * has a claim on; no other code gets at its transport.
 */
export class Connection {
  readonly service: Service;
  readonly #transport: Transport;

  constructor(service: Service, transport: Transport) {
    this.service = service;
    this.#transport = transport;
  }

  /** For `client/reader.ts` and `client/mover.ts` alone, as `test/tidy` checks. */
  static transportOf(connection: Connection): Transport {
    return connection.#transport;
  }
}
