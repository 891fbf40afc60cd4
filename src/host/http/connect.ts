import type { Socket } from "node:net";
import { connect, isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { SecureContext } from "node:tls";
import type { ConnectionTarget } from "./endpoint.ts";
import { authorityOf } from "./endpoint.ts";
import type { Proxy } from "./proxy.ts";
import type { Trust } from "./trust/trust.ts";
import { tlsFloor } from "./trust/tls-floor.ts";
import { WireError } from "./transport.ts";
import { connectError, proxyError } from "./wire-failures.ts";

/** Node gives up on an address after 250 ms if there is another one to try: too soon for distant servers. */
const addressAttemptMs = 1500;
const keepAliveProbeMs = 60_000;

/** How sockets are opened: what TLS trusts, and the signal that stops it. */
export interface DialSettings {
  readonly trust: Trust;
  readonly signal: AbortSignal;
}

/**
 * Opens a socket: the name is resolved, the connection made, and the TLS handshake with the right server done.
 * @throws {WireError} address, connection or tls; the signal's reason
 */
export function dial(to: ConnectionTarget, { trust, signal }: DialSettings): Promise<Socket> {
  return trust.connecting((context) => connectTo(to, { context, signal }));
}

/** One attempt with one set of trusted certificates. */
interface Attempt {
  readonly context: SecureContext | undefined;
  readonly signal: AbortSignal;
  /** A stream to use instead of a new connection. */
  readonly through?: Duplex | undefined;
}

function connectTo(to: ConnectionTarget, { context, signal, through }: Attempt): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = to.secure ? startTls(to, context, through) : startTcp(to);
    socket.setNoDelay(true).setKeepAlive(true, keepAliveProbeMs);
    let connected = through !== undefined;
    const stop = () => socket.destroy();
    const fail = (error: unknown) => {
      signal.removeEventListener("abort", stop);
      reject(signal.aborted ? signal.reason : connectError(error, to, connected));
    };
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    // Never removed: an error before the next listener is added must not end the process.
    socket.on("error", fail);
    socket.once("close", () => fail(undefined));
    socket.once("connect", () => {
      connected = true;
    });
    socket.once(to.secure ? "secureConnect" : "connect", () => {
      signal.removeEventListener("abort", stop);
      resolve(socket);
    });
  });
}

function startTcp(to: ConnectionTarget): Socket {
  return connect({ host: to.host, port: to.port, autoSelectFamilyAttemptTimeout: addressAttemptMs });
}

function startTls(to: ConnectionTarget, trust: SecureContext | undefined, through: Duplex | undefined): Socket {
  return process.getBuiltinModule("node:tls").connect({
    ...(through === undefined
      ? { port: to.port, autoSelectFamilyAttemptTimeout: addressAttemptMs }
      : { socket: through }),
    host: to.host,
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
    ...tlsFloor(),
    ...(isIP(to.host) === 0 ? { servername: to.host } : {}),
    ...(trust === undefined ? {} : { secureContext: trust }),
  });
}

/**
 * The same through a proxy's tunnel: the proxy sees nothing but the server's name.
 * @throws {WireError} proxy, tls; the signal's reason
 */
export async function dialThrough(proxy: Proxy, to: ConnectionTarget, settings: DialSettings): Promise<Socket> {
  const { trust, signal } = settings;
  return trust.connecting(async (context) =>
    connectTo(to, { context, signal, through: await openTunnel(proxy, to, settings) }),
  );
}

async function openTunnel(proxy: Proxy, to: ConnectionTarget, settings: DialSettings): Promise<Duplex> {
  const { openTunnelClient } = await import("./undici.ts");
  return new Promise((resolve, reject) => {
    const { signal } = settings;
    const client = openTunnelClient(() => dial(proxy.endpoint, settings), originOf(proxy.endpoint));
    const settle = (act: () => void) => {
      signal.removeEventListener("abort", stop);
      act();
      void client.destroy();
    };
    const stop = () => settle(() => reject(signal.reason));
    signal.addEventListener("abort", stop);
    const path = authorityOf(to);
    client.dispatch(
      { method: "CONNECT", path, headers: { host: path, ...proxy.headers } },
      {
        onRequestStart: () => undefined,
        onRequestUpgrade(_controller, status, _headers, socket) {
          if (status >= 200 && status < 300) return settle(() => resolve(socket));
          socket.destroy();
          const message = `The proxy ${proxy.name} refused the way to ${path}: HTTP ${status}`;
          return settle(() => reject(new WireError("proxy", message, { sent: false })));
        },
        onResponseError: (_controller, error) => settle(() => reject(proxyError(error, proxy.name, false))),
      },
    );
  });
}

/** `https://name:port`. */
export function originOf(endpoint: ConnectionTarget): string {
  return `${endpoint.secure ? "https" : "http"}://${authorityOf(endpoint)}`;
}
