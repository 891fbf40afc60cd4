import { describe, expect } from "vitest";
import { createTransport } from "../../src/host/http/http-transport.ts";
import type { Transport, TransportSettings } from "../../src/host/http/transport.ts";
import { memoryHost } from "../memory-host.ts";
import { test as plain } from "../simulated.ts";
import { accepted, collect, elsewhere, first, folders, open, payTo, rejected, transportThat } from "./status-orders.ts";

// Where the account has the extension, the service is asked for an order's status: what the status decides, and what
// not.

const test = plain.extend({ extensions: true });

test("the sentence for a rejected payout shows its currency and does not advise looking again", async ({
  partnerIn,
}) => {
  const partner = partnerIn({ ...folders(), terminal: { stdout: true }, columns: 500 });
  await partner`payout ${payTo(rejected)} ${elsewhere} --reference P-1 --yes`;
  expect((await partner`journal resolve P-1`).stdout).toBe(
    "The payout P-1 of TZS 25,000.00 is refused. No row of the statement carries its reference or names it. Asked for its status, the service says PAYMENT_REJECTED. Its reference can be used again.\n",
  );
});

const began = Date.UTC(2026, 2, 31, 9);

describe("journal resolve", () => {
  test("waits 4 s between status requests for one order, across runs", async ({ partnerIn }) => {
    const { clock } = memoryHost({ now: began });
    const asked: number[] = [];
    const transport = transportThat(({ url }) => {
      if (url.endsWith("/payment/status")) asked.push(clock.now() - began);
    });
    const partner = partnerIn({ ...folders(), clock, host: { transport } });
    await partner`payout ${payTo(open)} --reference P-1 --yes`;
    for (let run = 0; run < 3; run += 1) await partner`journal resolve P-1`;
    await partner`journal resolve --all`;
    expect(asked).toEqual([5_000, 9_000, 13_000, 17_000]);
  });

  test("counts the 4 s from when a slow request arrived, not from when it left", async ({ partnerIn }) => {
    const { clock } = memoryHost({ now: began });
    const arrived: number[] = [];
    const transport = transportThat(async ({ url, signal }) => {
      if (!url.endsWith("/payment/status")) return;
      if (arrived.length === 0) await clock.sleep(300, signal);
      arrived.push(clock.now() - began);
    });
    const partner = partnerIn({ ...folders(), clock, host: { transport } });
    await partner`payout ${payTo(open)} --reference P-1 --yes`;
    for (const _ of ["slow", "quick"]) await partner`journal resolve P-1`;
    expect(arrived).toEqual([5_300, 9_300]);
  });

  test("settles an order missing from the statement by its status", async ({ partnerIn, simulator, faults }) => {
    const partner = partnerIn(folders());
    faults.plan("lose-row=payout");
    await partner`payout ${payTo(accepted)} --reference P-1 --yes`;
    await partner`payout ${payTo(rejected)} --reference P-2 --yes`;
    await partner`payout ${payTo(open)} --reference P-3 --yes`;
    await simulator.idle();
    const { exit, stdout } = await partner`journal resolve --all --json`;
    const rows: Record<string, unknown>[] = JSON.parse(stdout);
    expect([exit, rows.map(({ reference, state, evidence }) => [reference, state, evidence])]).toEqual([
      0,
      [
        ["P-1", "accepted", "status"],
        ["P-2", "refused", "status"],
        ["P-3", "pending", "answer"],
      ],
    ]);
    expect(rows[0]?.["saw"]).toContain("Asked for its status, the service says PAYMENT_ACCEPTED.");
  });

  test("settles an order whose answer was lost by the statement, without its status", async ({
    partnerIn,
    simulator,
    faults,
  }) => {
    const asked: string[] = [];
    const transport = transportThat(({ url }) => void asked.push(url));
    const partner = partnerIn({ ...folders(), host: { transport } });
    faults.plan("lose-answer=payout:1");
    await partner`payout ${payTo(accepted)} --reference P-1 --yes`;
    await simulator.idle();
    const { exit, stdout } = await partner`journal resolve P-1 --json`;
    expect([exit, first(stdout)]).toMatchObject([0, { state: "accepted", evidence: "statement" }]);
    expect(asked.filter((url) => url.endsWith("/status"))).toEqual([]);
  });

  test.for([
    ["swap-answer=payment-status", "is about another order"],
    ["say-answer=HELD,payment-status", "the service says HELD"],
    ["repeat-answer=plain,payment-status", "Its status cannot be read"],
    ["deny-answer=payment-status", "Its status"],
    ["fail-request=payment-status", "Its status cannot be read"],
    ["reset-request=payment-status", "Its status cannot be read"],
  ] as const)("takes %s for no proof", async ([fault, says], { partnerIn, simulator, faults }) => {
    const partner = partnerIn(folders());
    faults.plan("lose-row=payout");
    faults.plan(fault);
    await partner`payout ${payTo(accepted)} --reference P-1 --yes`;
    await simulator.idle();
    const { exit, stdout } = await partner`journal resolve P-1 --json`;
    expect([exit, first(stdout)]).toMatchObject([0, { state: "pending", evidence: "answer" }]);
    expect(first(stdout)["saw"]).toContain(says);
  });

  test.for(["PAYMENT_REJECTED", "PAYMENT_ACCEPTED"])(
    "takes %s without the order's references for no proof",
    async (word, { partnerIn, simulator, faults }) => {
      const transport = async (settings: TransportSettings): Promise<Transport> => {
        const send = await createTransport(settings, {});
        return async (request) => {
          const answer = await send(request);
          if (!request.url.endsWith("/payment/status")) return answer;
          const body = (async function* () {
            yield new TextEncoder().encode(JSON.stringify({ statusCode: word }));
          })();
          return { ...answer, status: 200, body, leave: () => answer.leave() };
        };
      };
      const partner = partnerIn({ ...folders(), host: { transport } });
      faults.plan("lose-row=payout");
      await partner`payout ${payTo(accepted)} --reference P-1 --yes`;
      await simulator.idle();
      const { exit, stdout } = await partner`journal resolve P-1 --json`;
      expect([exit, first(stdout)]).toMatchObject([0, { state: "pending", evidence: "answer" }]);
      expect(first(stdout)["saw"]).toMatch(/Its status says nothing about the order\.$/);
    },
  );

  test("keeps an order unknown while status and statement contradict, until a person decides", async ({
    partnerIn,
    simulator,
    faults,
  }) => {
    const partner = partnerIn(folders());
    faults.plan("say-answer=PAYMENT_REJECTED,payment-status");
    await partner`payout ${payTo(accepted)} --reference P-1 --yes`;
    await simulator.idle();
    for (let round = 0; round < 3; round += 1) {
      const { exit, stdout } = await partner`journal resolve P-1 --json`;
      expect([exit, first(stdout)]).toMatchObject([6, { state: "unknown", evidence: "status" }]);
    }
    expect((await partner`payout ${payTo(accepted)} --reference P-1 --yes`).exit).toBe(6);
    const decided = await partner`journal resolve P-1 --as accepted --evidence "the receiver has it"`;
    expect(decided.exit).toBe(0);
    expect((await partner`payout ${payTo(accepted)} --reference P-1 --yes`).exit).toBe(0);
    expect(simulator.world.payouts.size).toBe(1);
  });

  test("makes an order unknown when status and callback contradict, and never sends it again", async ({
    partnerIn,
    simulator,
    faults,
  }) => {
    const partner = partnerIn(folders());
    faults.plan("lose-row=collect");
    const waited = await partner`collect ${collect} --reference C-1 --yes --wait --json`;
    expect(JSON.parse(waited.stdout)).toMatchObject({ state: "accepted", evidence: "callback" });
    faults.plan("say-answer=PAYMENT_REJECTED,collection-status");
    const { exit, stdout } = await partner`journal resolve C-1 --json`;
    expect([exit, first(stdout)]).toMatchObject([6, { state: "unknown", evidence: "status" }]);
    expect((await partner`collect ${collect} --reference C-1 --yes`).exit).toBe(6);
    expect(simulator.world.collections.size).toBe(1);
  });

  test("allows a reference refused by its status to be sent again, but only after reading the statement", async ({
    partnerIn,
    simulator,
    faults,
  }) => {
    const asked: string[] = [];
    const transport = transportThat(({ url }) => void asked.push(url.slice(url.lastIndexOf("/") + 1)));
    const partner = partnerIn({ ...folders(), host: { transport } });
    const line = `payout ${payTo(rejected)} --reference P-1 --yes`;
    await partner`${line}`;
    await simulator.idle();
    expect((await partner`journal resolve P-1`).exit).toBe(0);
    const stalls = faults.plan("stall-answer=0,wallet-statement");
    expect(await partner`${line} --timeout 1s`).toMatchObject({ exit: 5, stdout: "" });
    const sent = () => asked.filter((name) => name === "wallet-to-mobile");
    expect(sent()).toHaveLength(1);
    stalls();
    await partner`${line}`;
    expect(sent()).toHaveLength(2);
  });
});

describe("a service without extensions", () => {
  test.override({ extensions: false });

  test("says to remove the extension when its status request ends with 404", async ({ partnerIn, simulator }) => {
    const partner = partnerIn({ environment: { ...folders().environment, PARTNER_EXTENSIONS: "collection-status" } });
    await partner`collect ${collect} --reference C-1 --yes`;
    await simulator.idle();
    const { stdout } = await partner`journal resolve C-1 --json`;
    expect(first(stdout)["saw"]).toContain(
      "The service has no POST /collection/status for this account (404): remove the extension collection-status from the profile.",
    );
  });
});
