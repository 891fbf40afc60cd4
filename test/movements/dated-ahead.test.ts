import { describe, expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import { debit, serveStatements } from "../statements-served.ts";
import { kinds } from "./kinds.ts";
import { accept, environmentAt } from "./service.ts";
import { teller } from "./teller.ts";
import { openTill } from "./till.ts";

// Banks date payments of the evening or before a holiday ahead, and a clock may be a day behind: a statement up to
// today doesn't show such rows.

const [transfer] = kinds;
const line = transfer.line("R-1").replace("--check-statement never", "--check-statement always");
const ahead = ["2026-04-01 00:00:00", "2026-04-07 23:59:59"];

describe.each(ahead)("a payment of 31 March that is dated %s", (valueDate) => {
  const paid = debit("5", { narration: "rent [R-1]", valueDate });

  test("is not sent again", async () => {
    const service = await serveStatements({ statements: { "9000112233": [paid] }, react: accept });
    const run = await openTill(service.environment).run(line);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
    expect(service.orders).toEqual([]);
  });

  test("is proved on the same day", async () => {
    const service = await serveStatements({ statements: { "9000112233": [paid] } });
    const till = openTill(service.environment);
    expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 6 });
    expect(await till.run("journal resolve R-1")).toMatchObject({ exit: 0 });
  });

  test("is not called refused by a person's word", async () => {
    const service = await serveStatements({ statements: { "9000112233": [paid] } });
    const till = openTill(service.environment);
    expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 6 });
    const run = await till.run("journal resolve R-1 --as refused --evidence call");
    expect(run).toMatchObject({ exit: 2, stderr: expect.stringContaining("row FT26090000 of 9000112233") });
  });

  test("is found when a lost journal is recovered", async () => {
    const service = await serveStatements({ statements: { "9000112233": [paid] }, react: accept });
    const till = openTill(service.environment);
    expect(await till.run("journal recover")).toMatchObject({ exit: 0 });
    expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 0 });
    expect(service.orders).toEqual([]);
  });
});

test("a statement up to today is requested when the service refuses future days", async () => {
  const asked: string[] = [];
  const refusal = '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"endDate":"endDate is in the future"}}';
  const service = await teller({
    react: accept,
    reads: (socket, { path, body }) => {
      const [, endDate = ""] = /"endDate":"([\d-]+)"/.exec(body) ?? [];
      if (path === "/wallet/statement") asked.push(endDate);
      socket.end(endDate > "2026-03-31" ? answer("400 Bad Request", refusal) : answer("200 OK", "[]"));
    },
  });
  const run = await openTill(environmentAt(service.origin)).run(line);
  expect(run).toMatchObject({ exit: 0 });
  expect(asked).toEqual(["2026-04-07", "2026-03-31"]);
  expect(service.requests).toHaveLength(1);
});
