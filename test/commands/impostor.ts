import { once } from "node:events";
import type { Socket } from "node:net";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";

/** How a program that poses as a PostgreSQL server tries to get the password. */
export type Trick = "asks for it" | "asks for its MD5" | "asks for a cheap proof" | "proves nothing itself";

/** What it received after the greeting: nothing from which the password could be found. */
export interface Impostor {
  readonly port: number;
  readonly heard: readonly string[];
}

const [clear, md5, scram, goOn] = [3, 5, 10, 11];
const startupMinBytes = 8;

/** Listens on a port of this machine, or on the path of a Unix socket. */
export async function impostor(trick: Trick, path?: string): Promise<Impostor> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    let isGreeted = false;
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      if (isGreeted) heard.push(bytes.toString("latin1"));
      if (isGreeted) answer(socket, trick, bytes.toString("latin1"));
      else if (bytes.length > startupMinBytes) ask(socket, trick);
      isGreeted = true;
    });
  });
  if (path === undefined) server.listen(0, "127.0.0.1");
  else server.listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, heard };
}

function ask(socket: Socket, trick: Trick): void {
  if (trick === "asks for it") socket.write(message(clear));
  else if (trick === "asks for its MD5") socket.write(message(md5, Buffer.from("salt")));
  else socket.write(message(scram, Buffer.from("SCRAM-SHA-256\0\0")));
}

function answer(socket: Socket, trick: Trick, said: string): void {
  const [, nonce = ""] = /r=([^,]+)$/.exec(said) ?? [];
  if (trick === "asks for it") socket.destroy();
  else if (trick === "proves nothing itself")
    socket.write(Buffer.concat([message(0), Buffer.from("Z\0\0\0\u0005I", "latin1")]));
  else if (nonce !== "") socket.write(message(goOn, Buffer.from(`r=${nonce}more,s=c2FsdA==,i=1`)));
}

function message(kind: number, data = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.write("R");
  head.writeInt32BE(8 + data.length, 1);
  head.writeInt32BE(kind, 5);
  return Buffer.concat([head, data]);
}
