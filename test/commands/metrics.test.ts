import { readFileSync } from "node:fs";
import { beforeAll, expect } from "vitest";
import { memoryHost } from "../memory-host.ts";
import { readOpenMetrics } from "../open-metrics.ts";
import { test } from "../simulated.ts";
import { newMachine, now, post, send, timestamp } from "../webhooks/listening.ts";
import { payloadOf, signed } from "../webhooks/flood.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";
import { openDesk } from "./journal-desk.ts";

const type = "application/openmetrics-text; version=1.0.0; charset=utf-8";

test("the webhook receiver serves metrics of events and orders without personal data", async ({
  partnerIn,
  faults,
}) => {
  const machine = newMachine();
  const { url, stop } = await machine.listen();
  await send(url, "A");
  await send(url, "A");
  await post(url, signed("no json", timestamp));
  await post(url, signed(payloadOf("B"), timestamp).replace("50000.00", "50000.01"));
  await post(url, "[]");
  const desk = openDesk(partnerIn, { environment: { PARTNER_STATE_DIR: `${machine.folder}/state` } });
  expect(await desk.send("R-1", "R-2")).toEqual([0, 0]);
  faults.plan("lose-answer=transfer:1");
  expect(await desk.send("R-3")).toEqual([6]);
  const answer = await fetch(new URL("/metrics", url));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
  const text = await answer.text();
  const version: string = JSON.parse(readFileSync("package.json", "utf8")).version;
  expect(readOpenMetrics(text)).toMatchObject({
    [`partner_build_info{version="${version}"}`]: 1,
    process_start_time_seconds: now / 1000,
    'partner_webhooks_total{outcome="received"}': 1,
    'partner_webhooks_total{outcome="repeated"}': 1,
    'partner_webhooks_total{outcome="quarantined"}': 1,
    'partner_webhooks_total{outcome="refused"}': 2,
    'partner_webhooks_total{outcome="unavailable"}': 0,
    partner_webhook_last_event_timestamp_seconds: now / 1000,
    partner_journal_up: 1,
    'partner_journal_orders{state="accepted"}': 2,
    'partner_journal_orders{state="unknown"}': 1,
  });
  expect(text).toMatch(/^partner_journal_last_order_timestamp_seconds \d+/m);
  expect(text).toMatch(/^partner_journal_round_trip_seconds \d/m);
  for (const personal of ["R-1", "9000112233", "TXN-REF"]) expect(text).not.toContain(personal);
  expect((await fetch(new URL("/metrics", url), { method: "POST", body: "" })).status).toBe(404);
  expect((await stop()).exit).toBe(0);
});

withPostgres("a runner with --follow", (server) => {
  beforeAll(() => hire(server));

  test("serves metrics of its batches and of the shared journal", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    const stopping = memoryHost();
    let text: Promise<string> | undefined;
    const listen: typeof stopping.listen = async (options, answer) => {
      const listening = await stopping.listen(options, answer);
      const finished = async () => {
        for (;;) {
          const figures = await (await fetch(`${listening.origin}/metrics`)).text();
          if (figures.includes('rounds_total{outcome="ok"} 1')) return figures;
        }
      };
      text = finished().finally(() => stopping.abort("SIGTERM"));
      expect((await fetch(`${listening.origin}/health`)).status).toBe(200);
      expect((await fetch(`${listening.origin}/`)).status).toBe(404);
      return listening;
    };
    const following = office.at("runner", { host: { signal: stopping.signal, listen } });
    const followed = await following`batch run --approved --follow --metrics 127.0.0.1:0 --yes -o ndjson`;
    expect(followed).toMatchObject({ exit: 0, stderr: expect.stringContaining("/metrics") });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    expect(readOpenMetrics(String(await text))).toMatchObject({
      'partner_batch_rounds_total{outcome="ok"}': 1,
      'partner_batch_rounds_total{outcome="failed"}': 0,
      partner_batch_orders_sent_total: 2,
      partner_journal_up: 1,
    });
    const alone = await office.at("runner")`batch run --approved --metrics 127.0.0.1:0 --yes`;
    expect(alone).toMatchObject({ exit: 2, stdout: "" });
  });
});
