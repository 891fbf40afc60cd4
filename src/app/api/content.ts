import type { Session } from "../session.ts";

/**
 * The bytes of an answer as they came; for a person, text with its control characters made visible, and a newline at
 * its end.
 */
export function rawContent(
  answer: AsyncIterable<Uint8Array>,
  { host, result }: Pick<Session, "host" | "result">,
): AsyncIterable<string | Uint8Array> {
  return result.save === undefined && host.stdout.isTerminal ? linesOf(answer) : answer;
}

async function* linesOf(answer: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let ends = "";
  for await (const piece of answer) {
    const text = decoder.decode(piece, { stream: true });
    ends = text === "" ? ends : text;
    yield text;
  }
  const rest = decoder.decode();
  yield (rest || ends).endsWith("\n") ? rest : `${rest}\n`;
}
