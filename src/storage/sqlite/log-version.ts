/** SQLite 3.51.3. */
const logSafeSince = [3, 51, 3];

/**
 * True where a write-ahead log can be trusted: before, two who began a log anew at the same time could damage the
 * database. Some builds of Node bring the system's SQLite, which may be any.
 */
export function isLogSafe(sqliteVersion: string): boolean {
  const version = sqliteVersion.split(".").map(Number);
  const differing = logSafeSince.findIndex((part, index) => part !== version[index]);
  return differing === -1 || (version[differing] ?? 0) > (logSafeSince[differing] ?? 0);
}
