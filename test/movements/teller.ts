import type { Socket } from "node:net";
import { answer } from "../contract/recorder.ts";
import type { CertificateName } from "../host/servers.ts";
import { afterRequest, serveSockets, serveTls } from "../host/servers.ts";

/** What is done with the connection once a request to move money has been read. */
export type Reaction = (socket: Socket, request: MoneyRequest) => void;

/** A request to move money as it arrived, as far as its kind shows. */
export interface MoneyRequest {
  readonly path: string;
  /** The JSON text. */
  readonly body: string;
  readonly head: string;
}

/** A request that reads, with the method and the path and query as they arrived. */
export interface ReadRequest extends MoneyRequest {
  readonly method: string;
}

/** What is done with the connection once a request that reads has arrived. */
export type ReadReaction = (socket: Socket, request: ReadRequest) => void;

/**
 * A service of bare sockets whose answers are typed by hand. Reads get an empty list, or what `reads` makes of them.
 * Requests to move money are kept, each as one that may have moved money, and get the current reaction.
 */
export interface Teller {
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly MoneyRequest[];
  /** How requests are answered from now on. */
  react(reaction: Reaction): void;
  /** Resolves when so many reads have been answered; every command makes some before it opens the journal. */
  asked(times: number): Promise<void>;
}

export interface TellerSettings {
  readonly react?: Reaction | undefined;
  /** The answer to reads, those of wallets by POST included. Default: an empty list. */
  readonly reads?: ReadReaction | undefined;
  /** https with this certificate. Default: http. */
  readonly certificate?: CertificateName | undefined;
  /** For http only. Default: a free one. */
  readonly port?: number | undefined;
}

/** Spec 4.6, 4.8: these read by POST. */
const readPaths: ReadonlySet<string> = new Set(["/wallet/statement", "/wallet/balance"]);

export async function teller({ react, reads: answerRead, ...where }: TellerSettings = {}): Promise<Teller> {
  const { certificate, port: wished } = where;
  const requests: MoneyRequest[] = [];
  let reads = 0;
  const waiting: { readonly times: number; readonly wake: () => void }[] = [];
  let reaction: Reaction = react ?? ((socket) => socket.end(answer("500 Internal Server Error", "")));
  const serve = (socket: Socket) =>
    afterRequest(socket, (head, body) => {
      const [, method = "", path = ""] = /^(\S+) (\S+) /.exec(head) ?? [];
      const request = { path, body, head };
      if (method !== "POST" || readPaths.has(path)) {
        reads += 1;
        for (const { times, wake } of waiting) if (reads >= times) wake();
        return answerRead === undefined
          ? socket.end(answer("200 OK", "[]"))
          : answerRead(socket, { ...request, method });
      }
      requests.push(request);
      return reaction(socket, request);
    });
  const port = certificate === undefined ? await serveSockets(serve, wished) : await serveTls(certificate, serve);
  return {
    origin: `${certificate === undefined ? "http" : "https"}://localhost:${port}`,
    port,
    requests,
    react(next) {
      reaction = next;
    },
    asked: (times) =>
      new Promise((wake) => {
        waiting.push({ times, wake });
        if (reads >= times) wake();
      }),
  };
}

/** Sends a whole answer and ends the connection. */
export function saying(status: string, body: string | ((request: MoneyRequest) => string), headers?: string): Reaction {
  return (socket, request) => socket.end(answer(status, typeof body === "string" ? body : body(request), headers));
}
