/**
 * Milliseconds on a clock that never goes back, from an instant that means nothing. What `performance.now` says, which
 * would load Node's performance hooks (1 ms of a start) when it is first named.
 */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}
