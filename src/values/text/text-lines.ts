/** Limits for lines from outside. */
export interface LineLimits {
  /** True where invalid UTF-8 is an error; default: it becomes U+FFFD. */
  readonly isStrict?: boolean;
  /** A longer line is an error; default: no limit. */
  readonly lineMaxChars?: number;
}

/**
 * The lines of a UTF-8 text that arrives in pieces, without line ends; as many at a time as a piece completes.
 * @throws {Error} where a limit is exceeded
 */
export async function* textLines(
  pieces: AsyncIterable<Uint8Array>,
  { isStrict = false, lineMaxChars = Infinity }: LineLimits = {},
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder("utf-8", { fatal: isStrict });
  let rest = "";
  for await (const bytes of pieces) {
    const [end = "", ...others] = decoder.decode(bytes, { stream: true }).split("\n");
    // The rest is not scanned again with each piece: a line can be as long as the text.
    rest += end;
    const last = others.pop();
    if (last !== undefined) {
      yield [rest, ...others];
      rest = last;
    }
    if (rest.length > lineMaxChars) throw new Error(`a line is longer than ${lineMaxChars} characters`);
  }
  rest += decoder.decode();
  if (rest !== "") yield [rest];
}
