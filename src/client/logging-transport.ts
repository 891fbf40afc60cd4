import { secretHeaders } from "../contract/authentication.ts";
import type { Transport, WireRequest, WireResponse } from "../host/http/transport.ts";
import { withoutSecrets } from "../values/text/without-secrets.ts";

/** How much of a body a transcript shows. */
export const transcriptBodyMaxChars = 4_096;
/** How much is read to show that: a secret that begins in the shown part ends within this. */
const readMaxChars = 2 * transcriptBodyMaxChars;

/** Where a transcript goes, and what it masks in addition to secrets. */
export interface Transcript {
  /** Takes one line, without its end. */
  write(line: string): void;
  mask(text: string): string;
}

/**
 * A transport that writes down what it carries: each request and answer, for `--debug`. Headers with secrets are masked
 * by name here, and by value again in all that goes to stderr. A text is masked before it is cut: the half of a secret
 * or of a telephone number would not be recognized.
 */
export function loggingTransport(transport: Transport, transcript: Transcript): Transport {
  const write = (line: string) => transcript.write(transcript.mask(line));
  return async (request) => {
    const secrets = secretHeaders.flatMap((name) => request.headers[name]?.replace(/^Bearer /, "") ?? []);
    const writeBody = (sign: string, text: string) =>
      transcript.write(`${sign} ${shortened(transcript.mask(withoutSecrets(text, secrets)))}`);
    writeRequest(request, write);
    if (request.body !== undefined) writeBody(">", request.body);
    try {
      const response = await transport(request);
      writeHead(response, write);
      return { ...response, body: tracedBody(response.body, (text) => writeBody("<", text), write) };
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
}

function writeHead(response: WireResponse, write: (line: string) => void): void {
  write(`< ${response.status}`);
  for (const [name, value] of Object.entries(response.headers))
    write(`< ${name}: ${name === "set-cookie" ? "[secret]" : value}`);
}

/** Passes the body on, and logs its beginning when it ends, whole or broken. */
async function* tracedBody(
  body: AsyncIterable<Uint8Array>,
  writeBody: (text: string) => void,
  write: (line: string) => void,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let beginning = "";
  let bytes = 0;
  let whole = false;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (beginning.length < readMaxChars) beginning += decoder.decode(chunk, { stream: true });
      yield chunk;
    }
    whole = true;
  } finally {
    if (beginning !== "") writeBody(beginning);
    write(`* ${bytes} bytes${whole ? "" : ", then it broke off"}`);
  }
}

function shortened(text: string): string {
  return text.length <= transcriptBodyMaxChars ? text : `${text.slice(0, transcriptBodyMaxChars)} …`;
}
