import { secretHeaders } from "../contract/authentication.ts";
import type { Transport, WireRequest, WireResponse } from "../host/http/transport.ts";

/** How much of a body a transcript shows. */
export const transcriptBodyMaxChars = 4_096;

/**
 * A transport that writes down what it carries: each request and answer, for `--debug`. Headers that hold secrets are
 * masked by name here, and by value once more where everything for stderr passes through.
 */
export function loggingTransport(transport: Transport, write: (line: string) => void): Transport {
  return async (request) => {
    writeRequest(request, write);
    try {
      const response = await transport(request);
      writeHead(response, write);
      return { ...response, body: tracedBody(response.body, write) };
    } catch (error) {
      write(`* ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  };
}

function writeRequest(request: WireRequest, write: (line: string) => void): void {
  write(`> ${request.method} ${request.url}`);
  for (const [name, value] of Object.entries(request.headers))
    write(`> ${name}: ${secretHeaders.includes(name) ? "[secret]" : value}`);
  if (request.body !== undefined) write(`> ${shortened(request.body)}`);
}

function writeHead(response: WireResponse, write: (line: string) => void): void {
  write(`< ${response.status}`);
  for (const [name, value] of Object.entries(response.headers))
    write(`< ${name}: ${name === "set-cookie" ? "[secret]" : value}`);
}

/** Passes the body on and writes its beginning down when it ends, whole or broken. */
async function* tracedBody(body: AsyncIterable<Uint8Array>, write: (line: string) => void): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let beginning = "";
  let bytes = 0;
  let whole = false;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (beginning.length < transcriptBodyMaxChars) beginning += decoder.decode(chunk, { stream: true });
      yield chunk;
    }
    whole = true;
  } finally {
    if (beginning !== "") write(`< ${shortened(beginning)}`);
    write(`* ${bytes} bytes${whole ? "" : ", then it broke off"}`);
  }
}

function shortened(text: string): string {
  return text.length <= transcriptBodyMaxChars ? text : `${text.slice(0, transcriptBodyMaxChars)} …`;
}
