/**
 * Milliseconds on a clock that never goes back, since an arbitrary moment. Like `performance.now`, which would load
 * Node's performance hooks on first use (1 ms of a start).
 */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}
