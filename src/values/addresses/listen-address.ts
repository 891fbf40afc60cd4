import { violation } from "../violation.ts";

const addressForm = /^(?:\[([0-9a-f:.]+)\]|([^:\s[\]/]+)):(\d{1,5})$/i;
const portMax = 65_535;

/** Where one of our servers listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** This machine alone, on any free port. */
export const anyLoopbackPort: ListenAddress = { host: "127.0.0.1", port: 0 };

/**
 * `127.0.0.1:8080`, `localhost:0`, `[::1]:8080`. The host is required, so that a port is never open to the whole
 * network by accident.
 * @throws {Failure} usage
 */
export function parseListenAddress(text: string, field: string): ListenAddress {
  const [, bracketed, plain, digits = ""] = addressForm.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host !== undefined && port <= portMax) return { host, port };
  const rule = `a host, a colon and a port from 0 (a free one) to ${portMax}`;
  throw violation({ field, text, problem: "isn't a valid address to listen on", example: "127.0.0.1:8080", rule });
}

/** The address as it is typed. */
export function listenText({ host, port }: ListenAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
