import type { Files } from "./files.ts";

/**
 * Reads a small file of ours. A named pipe in its place is refused: opening it would wait for a program that writes.
 * @returns undefined where there is none
 * @throws {Error} EFTYPE for anything but a file, a folder or a link
 */
export async function readOwnFile(
  files: Pick<Files, "facts" | "read">,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const facts = await files.facts(path);
  if (facts === undefined) return undefined;
  if (facts.kind === "other") throw Object.assign(new Error(`${path} isn't an ordinary file`), { code: "EFTYPE" });
  return files.read(path, maxBytes);
}
