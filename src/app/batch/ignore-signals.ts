import type { Host } from "../../host/host.ts";

/** The same host without signals, for reports of what was done with money. */
export function ignoringSignals(host: Host): Host {
  return { ...host, signal: new AbortController().signal };
}
