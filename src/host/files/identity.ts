import { statSync } from "node:fs";

/** What identifies a file on this machine while it exists; undefined where there is none, or it cannot be looked at. */
export function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true });
    return stats.isFile() ? `${stats.dev} ${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}
