import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, request } from "node:http";
import { onTestFinished } from "vitest";
import { environmentAt } from "./served.ts";
import { start } from "../host/servers.ts";

/** A collection that the test's own service was asked for. */
export interface Collection {
  readonly transactionRef: string;
  readonly callbackUrl: string;
}

export interface CollectionService {
  readonly environment: Readonly<Record<string, string>>;
  readonly collections: readonly Collection[];
}

/** The answer: 201 with that body, or another status; undefined resets the connection without an answer. */
export type Played = (
  collection: Collection,
) => Promise<string | { readonly status: number; readonly text: string } | undefined>;

/**
 * A service that answers collections and remittances as a test says. Reads get an empty list.
 */
export async function collectionService(play: Played): Promise<CollectionService> {
  const collections: Collection[] = [];
  const answer = async (asked: IncomingMessage, response: ServerResponse) => {
    if (asked.method === "GET") return void response.end("[]");
    const collection: Collection = JSON.parse(await read(asked));
    collections.push(collection);
    const played = await play(collection);
    const { status, text } = typeof played === "string" ? { status: 201, text: played } : (played ?? { status: 0 });
    if (text === undefined) return void response.destroy();
    return void response.writeHead(status, { "content-type": "application/json" }).end(text);
  };
  const server = createServer((asked, response) => void answer(asked, response));
  const port = await start(server);
  return { environment: environmentAt(`http://127.0.0.1:${port}`), collections };
}

export const transactionId = "a1B2c3D4e5F6";

/** The body of an answer or a callback, by the specification, sections 4.5 and 6.1. */
export function says(statusCode: string, transactionRef = "INV-1", id = transactionId): string {
  return JSON.stringify({ statusCode, transactionRef, transactionId: id });
}

/** Posts over its own connection and returns the status and the body of the answer. */
export function post(url: string, body: string, method = "POST"): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      read(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function read(message: IncomingMessage): Promise<string> {
  message.setEncoding("utf8");
  let text = "";
  for await (const part of message) text += String(part);
  return text;
}

/** Runs work in the background of a run, and fails the test when that work fails. */
export function behind(work: () => Promise<void>): () => Promise<void> {
  let failure: unknown;
  onTestFinished(() => {
    if (failure !== undefined) throw failure;
  });
  return async () => {
    try {
      await work();
    } catch (error) {
      failure = error;
    }
  };
}
