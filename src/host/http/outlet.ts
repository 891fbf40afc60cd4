import type { Transport, TransportSettings } from "./transport.ts";

/** The way out of this machine, closed: `main` passes it on, and only `client/network.ts` opens it. */
export class Outlet {
  readonly #open: (settings: TransportSettings) => Promise<Transport>;

  constructor(open: (settings: TransportSettings) => Promise<Transport>) {
    this.#open = open;
  }

  /** For `client/network.ts` alone, which `test/tidy` checks. */
  static open(outlet: Outlet, settings: TransportSettings): Promise<Transport> {
    return outlet.#open(settings);
  }
}
