import type { Transport, TransportSettings } from "./transport.ts";

/** The way out of this machine, closed: `main` hands it on, and `client/network.ts` alone opens it. */
export class Outlet {
  readonly #open: (settings: TransportSettings) => Promise<Transport>;

  constructor(open: (settings: TransportSettings) => Promise<Transport>) {
    this.#open = open;
  }

  /** For `client/network.ts` alone: `test/tidy` sees to it. */
  static open(outlet: Outlet, settings: TransportSettings): Promise<Transport> {
    return outlet.#open(settings);
  }
}
