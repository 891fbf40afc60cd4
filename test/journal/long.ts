/** How much a test does: a little on every run, a lot when `PARTNER_LONG` is set. */
export function size(short: number, long: number): number {
  return (process.env["PARTNER_LONG"] ?? "") === "" ? short : long;
}
