import type { Socket } from "node:net";
import { answer } from "../contract/recorder.ts";
import type { CertificateName } from "../host/servers.ts";
import { afterRequest, serveSockets, serveTls } from "../host/servers.ts";

/** What is done with the connection once a request to move money is read as a whole. */
export type Reaction = (socket: Socket, request: MoneyRequest) => void;

/** A request to move money as it came, and as far as its kind tells. */
export interface MoneyRequest {
  readonly path: string;
  /** The JSON text. */
  readonly body: string;
  readonly head: string;
}

/** A request that reads, with the method and the path and query as they came. */
export interface ReadRequest extends MoneyRequest {
  readonly method: string;
}

/** What is done with the connection once a request that reads has come. */
export type ReadReaction = (socket: Socket, request: ReadRequest) => void;

/**
 * A service of bare sockets whose answers are typed by hand. Reads get an empty list, or what `reads` makes of them;
 * requests to move money are kept, each as one that may have moved money, and get what the reaction of the moment makes
 * of them.
 */
export interface Teller {
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly MoneyRequest[];
  /** How the requests from now on are answered. */
  react(reaction: Reaction): void;
  /** Resolves when so many reads have been answered, which every command does before it opens the journal. */
  asked(times: number): Promise<void>;
}

export interface TellerSettings {
  readonly react?: Reaction | undefined;
  /** What reads get, those of wallets by POST included; an empty list where left out. */
  readonly reads?: ReadReaction | undefined;
  /** https with this certificate; http where left out. */
  readonly certificate?: CertificateName | undefined;
  /** A free one where left out; of http only. */
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

/** Answers with a whole answer and ends the connection. */
export function saying(status: string, body: string | ((request: MoneyRequest) => string), headers?: string): Reaction {
  return (socket, request) => socket.end(answer(status, typeof body === "string" ? body : body(request), headers));
}
