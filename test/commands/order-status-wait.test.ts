import { readdirSync } from "node:fs";
import { describe, expect } from "vitest";
import { hastySqlite, lock } from "../movements/till.ts";
import { test as plain } from "../simulated.ts";
import { column, openDesk } from "./batch-service.ts";
import { accepted, collect, elsewhere, folders, open, payTo, rejected, transportThat } from "./status-orders.ts";

// `--wait` where no callback can arrive: the service is asked for the order's status.

const test = plain.extend({ extensions: true });

describe("--wait without a reachable callback address", () => {
  test("ends a collection by its status", async ({ partner }) => {
    const { exit, stdout } = await partner`collect ${collect} ${elsewhere} --reference C-1 --yes --wait --json`;
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      0,
      { state: "accepted", evidence: "status", request: { callbackUrl: "https://hooks.example/partner" } },
    ]);
  });

  test.for([
    [accepted, 0, "accepted", "status"],
    [rejected, 4, "refused", "status"],
    ["255712990002", 6, "unknown", "status"],
    [open, 7, "pending", "answer"],
  ] as const)("ends a payout to %s with %i, %s by its %s", async ([number, exit, state, evidence], { partner }) => {
    const run = await partner`payout ${payTo(number)} ${elsewhere} --reference P-1 --yes --wait --wait-for 1m --json`;
    expect([run.exit, JSON.parse(run.stdout)]).toMatchObject([exit, { state, evidence }]);
  });

  test.for([
    ["collection-status", 5],
    ["payout", 2],
  ] as const)(
    "with the extension %s and a service on another machine ends with %i",
    async ([name, exit], { partnerIn }) => {
      const environment = { PARTNER_BASE_URL: "https://127.0.0.1.invalid/v1", PARTNER_EXTENSIONS: name };
      const run = await partnerIn({ environment })`collect ${collect} --yes --wait --check-statement never`;
      expect([run.exit, run.stderr.includes("--wait needs an address")]).toEqual([exit, exit === 2]);
    },
  );

  test("ends by a status that two requests could not get before", async ({ partnerIn, faults }) => {
    faults.plan("fail-request=payment-status:1");
    faults.plan("reset-request=payment-status:2");
    const run = await partnerIn(folders())`payout ${payTo(accepted)} ${elsewhere} --reference P-1 --yes --wait --json`;
    expect([run.exit, JSON.parse(run.stdout)]).toMatchObject([0, { state: "accepted", evidence: "status" }]);
  });

  test("leaves a collection pending when its status stays open for 30 s", async ({ partnerIn, simulator }) => {
    const run = await partnerIn({
      environment: { PARTNER_BASE_URL: simulator.baseUrl, PARTNER_EXTENSIONS: "collection-status" },
    })`collect ${collect.replace("255712345678", "255712990003")} ${elsewhere} --yes --wait --wait-for 30s`;
    expect(run.exit).toBe(7);
  });
});

test("a status is asked for again after the locked journal did not take it", async ({ partnerIn }) => {
  const { environment } = folders();
  const stateFolder = environment.PARTNER_STATE_DIR;
  const locks: (() => void)[] = [];
  const transport = transportThat(({ url }) => {
    if (!url.endsWith("/collection/status")) return;
    if (locks.length === 0) locks.push(lock({ stateFolder }, "writers"));
    else locks[0]?.();
  });
  const host = { transport, sqlite: () => Promise.resolve(hastySqlite()) };
  const run = await partnerIn({
    environment,
    host,
  })`collect ${collect} ${elsewhere} --reference C-1 --yes --wait --json`;
  expect([run.exit, JSON.parse(run.stdout)]).toMatchObject([0, { state: "accepted", evidence: "status" }]);
  expect(run.stderr).not.toContain("did not take the outcome");
  expect(readdirSync(stateFolder).filter((name) => name.startsWith("slip-"))).toEqual([]);
});

test("a batch of collections needs no callback URL when the account has collection-status", async ({ partnerIn }) => {
  const desk = openDesk();
  const file = desk.write("reference,msisdn,amount\nC-1,255712345678,1500\n");
  const line = `batch run ${file} --kind collect --channel TZ-TIGO-C2B --narration lunch --yes --csv`;
  const without = await partnerIn({ environment: { ...desk.environment, PARTNER_EXTENSIONS: "payout" } })`${line}`;
  expect(without).toMatchObject({ exit: 2, stdout: "" });
  expect(without.stderr).toContain("callbackUrl: is empty, and the profile has none");
  const sent = await partnerIn({ environment: desk.environment })`${line}`;
  expect([sent.exit, column(sent.stdout, "state")]).toEqual([0, ["pending"]]);
});

describe("a service without extensions", () => {
  test.override({ extensions: false });

  test("ends a wait for the status only when its time runs out, and says why there was none", async ({ partnerIn }) => {
    const environment = { ...folders().environment, PARTNER_EXTENSIONS: "collection-status" };
    const waited = await partnerIn({
      environment,
    })`collect ${collect} ${elsewhere} --reference C-1 --yes --wait --wait-for 30s --json`;
    expect([waited.exit, JSON.parse(waited.stdout)]).toMatchObject([7, { state: "pending", evidence: "answer" }]);
    expect(waited.stderr).toContain("The service has no POST /collection/status for this account (404)");
  });
});
