const pieceMinChars = 64 * 1024;

/**
 * A list of rows, each a JSON text, between a head and a tail. It is generated while it is sent: its length costs no
 * memory.
 */
export async function* rowsBody(head: string, rows: Iterable<string>, tail: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = head;
  let separator = "";
  for (const row of rows) {
    text += separator + row;
    separator = ",";
    if (text.length < pieceMinChars) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text + tail);
}
