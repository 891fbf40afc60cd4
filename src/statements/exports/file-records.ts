import type { Files } from "../../host/files/files.ts";

/**
 * The records of an exported file, one for each row, with their line ends. A line end within the quotes of CSV doesn't
 * end a record.
 * @param head what the file begins with, if it has a head
 */
export async function recordsIn(
  path: string,
  head: string,
  format: "csv" | "ndjson",
  files: Pick<Files, "chunks">,
): Promise<string[]> {
  // The byte order mark of --excel is part of the head.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for await (const bytes of files.chunks(path)) text += decoder.decode(bytes, { stream: true });
  text += decoder.decode();
  const records: string[] = [];
  let start = text.startsWith(head) ? head.length : 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"' && format === "csv") isQuoted = !isQuoted;
    if (character !== "\n" || isQuoted) continue;
    records.push(text.slice(start, at + 1));
    start = at + 1;
  }
  return records;
}
