import type { Check } from "./check.ts";
import { ok, problem } from "./check.ts";

/** Checks that the program runs on this version of Node. `range` is the one in package.json. */
export function checkNode(version: string, range: string): Check {
  const check = "node";
  if (isInRange(version, range)) return ok(check, version);
  return problem(check, `${version}; partner needs ${range}. Install one of these: https://nodejs.org/en/download`);
}

/**
 * True when the version is in the range: `^22.22.3`, `>=26`, or several of these with `||` between them. No version is
 * in a range of another form.
 */
export function isInRange(version: string, range: string): boolean {
  const [, ...parts] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  const actual = parts.map(Number);
  return range.split("||").some((alternative) => {
    const [, operator, ...wanted] = /^(\^|>=)(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(alternative.trim()) ?? [];
    if (operator === undefined || actual.length === 0) return false;
    const least = wanted.map((part) => Number(part ?? 0));
    return compare(actual, least) >= 0 && (operator === ">=" || actual[0] === least[0]);
  });
}

function compare(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs === -1 ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0);
}
