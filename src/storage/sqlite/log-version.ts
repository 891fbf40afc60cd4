/** SQLite 3.51.3. */
const logSafeSince = [3, 51, 3];

/**
 * True where a write-ahead log can be trusted: before that version, two processes that restarted the log at the same
 * time could damage the database. Some builds of Node use the system's SQLite, which may be of any version.
 */
export function isLogSafe(sqliteVersion: string): boolean {
  const version = sqliteVersion.split(".").map(Number);
  const differing = logSafeSince.findIndex((part, index) => part !== version[index]);
  return differing === -1 || (version[differing] ?? 0) > (logSafeSince[differing] ?? 0);
}
