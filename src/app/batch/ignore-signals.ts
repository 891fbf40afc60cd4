import type { Host } from "../../host/host.ts";

/** The same host for what goes on whatever a signal says: what was done with money is to be told. */
export function ignoringSignals(host: Host): Host {
  return { ...host, signal: new AbortController().signal };
}
