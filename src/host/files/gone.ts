import { codeOf } from "../system-error.ts";
import type { Files } from "./files.ts";

/**
 * True where a file could not be read since another process has removed it. A link to a file that isn't there is not
 * gone: the disk that it leads to may be away.
 */
export async function isGone(files: Pick<Files, "facts">, path: string, error: unknown): Promise<boolean> {
  return codeOf(error) === "ENOENT" && (await files.facts(path)) === undefined;
}

/** What `read` makes of a file; undefined where another process has removed it, even while it is looked at. */
export async function unlessGone<T>(
  files: Pick<Files, "facts">,
  path: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (await isGone(files, path, error)) return undefined;
    throw error;
  }
}
