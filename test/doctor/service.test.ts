import { expect, test } from "vitest";
import type { Probed } from "../../src/client/probe.ts";
import { judgeAccountService, judgeClock, judgeService } from "../../src/doctor/service.ts";

const noon = Date.UTC(2026, 2, 31, 9, 0, 0);

function probed(status: number, headers: Record<string, string> = {}, tookMs = 0): Probed {
  return { status, headers, askedMs: noon, answeredMs: noon + tookMs };
}

test.each<[status: number, isProven: boolean, result: string]>([
  [200, true, "ok"],
  [200, false, "ok"],
  [204, true, "ok"],
  [302, true, "problem"],
  [400, true, "problem"],
  [401, true, "problem"],
  [401, false, "ok"],
  [403, true, "problem"],
  [403, false, "ok"],
  [404, true, "problem"],
  [408, true, "warning"],
  [429, true, "warning"],
  [500, true, "problem"],
  [503, false, "problem"],
])("HTTP %i to a read with proven credentials %j: %s", (status, isProven, result) => {
  expect(judgeService("https://api.example/wallet", probed(status), isProven)).toMatchObject({
    check: "service",
    result,
  });
});

test("a web page doesn't count as an answer of the service, whatever its status", () => {
  const page = probed(200, { "content-type": "text/html; charset=utf-8" });
  expect(judgeService("https://api.example/wallet", page, true).result).toBe("warning");
});

test("any answer except a failure of the server shows that the account service is there", () => {
  const results = [200, 301, 401, 404, 502].map(
    (status) => judgeAccountService("https://b.example", probed(status)).result,
  );
  expect(results).toEqual(["ok", "ok", "ok", "ok", "warning"]);
});

test.each<[date: string | undefined, tookMs: number, result: string, detail: RegExp]>([
  ["Tue, 31 Mar 2026 09:00:00 GMT", 0, "ok", /^agrees /],
  ["Tue, 31 Mar 2026 09:01:00 GMT", 0, "ok", /^agrees /],
  ["Tue, 31 Mar 2026 09:01:01 GMT", 0, "warning", /1m 1s behind the service/],
  ["Tue, 31 Mar 2026 08:58:59 GMT", 0, "ok", /^agrees /],
  ["Tue, 31 Mar 2026 08:58:58 GMT", 0, "warning", /1m 1s ahead of the service/],
  ["Tue, 31 Mar 2026 09:05:00 GMT", 300_000, "ok", /^agrees /],
  ["Tue, 31 Mar 2020 09:00:00 GMT", 0, "warning", /2190d .*ahead of the service/],
  [undefined, 0, "warning", /^not compared/],
  ["yesterday", 0, "warning", /^not compared/],
])("a clock at 09:00:00 and a service that reports %j after %i ms: %s", (date, tookMs, result, detail) => {
  const clock = judgeClock(probed(200, date === undefined ? {} : { date }, tookMs));
  expect(clock.result).toBe(result);
  expect(clock.detail).toMatch(detail);
});
