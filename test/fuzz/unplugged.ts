import type { Files } from "../../src/host/files/files.ts";
import type { WiredHost } from "../../src/host/host.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import type { Transport, WireRequest } from "../../src/host/http/transport.ts";
import type { World } from "../memory-host.ts";

/** An answer of the made-up wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

/**
 * A world without sockets, programs and new files, so that thousands of random command lines do no harm and take no
 * time. Every request gets the same answer, in pieces of a few bytes.
 */
export function unplugged(
  answer: WireAnswer,
  requests: WireRequest[] = [],
): World & { readonly host: Partial<WiredHost> } {
  const files: Files = { ...nodeFiles(), draft: refuse("EACCES") };
  const transport: Transport = (request) => {
    requests.push(request);
    const { status, headers = {}, body } = answer;
    return Promise.resolve({ status, headers, body: piecesOf(Buffer.from(body)), leave: () => undefined });
  };
  return {
    hasStrangeService: true,
    environment: {
      PARTNER_BASE_URL: "https://service.invalid/v1",
      PARTNER_ACCOUNT_ID: "vendor-7",
      PARTNER_SECRET_KEY: "fuzzed-secret-key",
      PARTNER_ACCESS_TOKEN: "fuzzed-access-token",
    },
    host: { files, transport: () => Promise.resolve(transport), listen: refuse("EACCES"), run: refuse("ENOENT") },
  };
}

/** A part of the world that refuses with one of Node's codes. */
function refuse(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(`${code}: unplugged`), { code }));
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0, length = 1; at < bytes.length; at += length, length = (length * 3) % 1009) {
    yield bytes.subarray(at, at + length);
  }
}
