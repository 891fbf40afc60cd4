import { afterEach, expect, test } from "vitest";
import { probing } from "../../src/client/probe.ts";
import type { Recorder } from "../contract/recorder.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { memoryHost } from "../memory-host.ts";
import { failureOf } from "../profiles/fixture.ts";

let service: Recorder | undefined;
afterEach(() => service?.stop());

const timeoutMs = 10_000;
const credentials = { group: "A", accountId: "vendor-7", secretKey: "c2VjcmV0/+key==" } as const;

async function look(answered: string, proven = true) {
  service = await recorder(answered);
  const host = memoryHost();
  const probe = probing(host, await host.transport({}));
  const settings = { timeoutMs, credentials: proven ? credentials : undefined };
  return { probe, looking: probe(`${service.origin}/tembo/v1/wallet`, settings) };
}

test("any answer counts, and its status and headers are returned", async () => {
  const { looking } = await look(
    answer("418 I'm a teapot", "short and stout", "Date: Tue, 31 Mar 2026 09:00:00 GMT\r\n"),
  );
  const { status, headers } = await looking;
  expect([status, headers["date"]]).toEqual([418, "Tue, 31 Mar 2026 09:00:00 GMT"]);
});

test("a redirect is not followed, and credentials are sent nowhere else", async () => {
  const { looking } = await look(answer("307 Temporary Redirect", "", "location: http://127.0.0.1:1/\r\n"));
  expect((await looking).status).toBe(307);
  expect(service?.requests).toHaveLength(1);
});

test("a probe with credentials has the headers of their group, and one without has none", async () => {
  await (
    await look(answer("200 OK", "[]"))
  ).looking;
  expect(service?.requests[0]).toMatch(/^GET \/tembo\/v1\/wallet HTTP\/1\.1\r\n/);
  expect(service?.requests[0]).toContain("\r\nx-account-id: vendor-7\r\nx-secret-key: c2VjcmV0/+key==\r\n");
  await service?.stop();
  await (
    await look(answer("200 OK", "[]"), false)
  ).looking;
  expect(service?.requests[0]).not.toMatch(/x-account-id|x-secret-key|authorization/);
});

test("an answer that breaks off is unavailable, and is not requested again", async () => {
  const { looking } = await look("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf");
  expect((await failureOf(looking)).ending).toBe("unavailable");
  expect(service?.requests).toHaveLength(1);
});

test("without a server the ending is unavailable", async () => {
  const { probe, looking } = await look(answer("200 OK", ""));
  await looking;
  await service?.stop();
  const again = probe(`${service?.origin}/`, { timeoutMs });
  expect(await failureOf(again)).toMatchObject({ ending: "unavailable", money: "none" });
});

test("an interrupt ends the probe", async () => {
  const host = memoryHost();
  service = await recorder("");
  const probe = probing(host, await host.transport({}));
  host.abort("SIGTERM");
  expect(await failureOf(probe(`${service.origin}/`, { timeoutMs }))).toMatchObject({
    ending: "interrupted",
    exit: 143,
  });
});
