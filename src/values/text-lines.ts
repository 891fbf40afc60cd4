/** The lines of a UTF-8 text that comes in pieces, without their ends; as many at a time as a piece completes. */
export async function* textLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of pieces) {
    const [end = "", ...others] = decoder.decode(bytes, { stream: true }).split("\n");
    // What is held is not looked through again with each piece: a line can be as long as the text.
    rest += end;
    const last = others.pop();
    if (last === undefined) continue;
    yield [rest, ...others];
    rest = last;
  }
  if (rest !== "") yield [rest];
}
