import { afterEach, expect, test } from "vitest";
import type { MemoryClock } from "../memory-host.ts";
import { memoryHost } from "../memory-host.ts";
import { size } from "../journal/long.ts";
import { encodeRequest } from "../../src/contract/request.ts";
import { accountScope } from "../../src/journal/account-name.ts";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import type { ProcessFate } from "../../src/host/process/process-mark.ts";
import { startRun } from "./child.ts";
import { expectInvariants } from "./invariants.ts";
import { kinds, objectIn } from "./kinds.ts";
import { accept, accountId, environmentAt, honest } from "./service.ts";
import { saying, teller } from "./teller.ts";
import { openTill } from "./till.ts";

// The service's day is that of Dar es Salaam. This machine's clock and zone can be set to anything.

const zones = [
  "UTC",
  "Africa/Dar_es_Salaam",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Pacific/Chatham",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "America/St_Johns",
  "America/New_York",
  "Europe/London",
  "Asia/Tehran",
  "Antarctica/Troll",
] as const;

const dayMs = 86_400_000;
const tenYearsMs = 3652 * dayMs;
/** The last millisecond of a quarter in Dar es Salaam. */
const lastOfQuarter = Date.UTC(2026, 2, 31, 20, 59, 59, 999);
const shifts = [-tenYearsMs, 0, tenYearsMs] as const;

const ownZone = process.env["TZ"];
afterEach(() => {
  if (ownZone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = ownZone;
});

/** The wall clock of Dar es Salaam, from the system's time zones, which the program never uses. */
function wallClock(epochMs: number): string {
  const written = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "Africa/Dar_es_Salaam",
    dateStyle: "short",
    timeStyle: "medium",
  }).format(epochMs);
  return written.replace("T", " ");
}

const dayOf = (epochMs: number): string => wallClock(epochMs).slice(0, 10);
const withdrawal = "withdraw --account 9000112233 --amount 5 --narration x --reference R-1 --dry-run --json";
const collection =
  "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 5 --narration x --callback-url https://hooks.example --reference R-1 --dry-run --json";

test.for(zones)("in %s today is the day in Dar es Salaam, whatever year the clock shows", async (zone) => {
  process.env["TZ"] = zone;
  const { origin } = await teller();
  const till = openTill({ ...environmentAt(origin), TZ: zone });
  for (const shift of shifts)
    for (const now of [lastOfQuarter + shift, lastOfQuarter + shift + 1]) {
      const request = async (line: string) => Object(objectIn((await till.run(line, { now })).stdout)["request"]);
      expect(await request(withdrawal)).toMatchObject({ transactionDate: dayOf(now) });
      expect(await request(collection)).toMatchObject({ transactionDate: wallClock(now) });
      const { stderr } = await till.run("wallet statement 9000112233 --today", { now });
      expect(stderr).toContain(`Period: ${dayOf(now)}\n`);
    }
});

test("--last-month is that of Dar es Salaam on both sides of midnight", async () => {
  const { origin } = await teller();
  const till = openTill(environmentAt(origin));
  const said = async (now: number) => (await till.run("wallet statement 1 --last-month", { now })).stderr;
  expect(await said(lastOfQuarter)).toContain("Period: 2026-02-01 to 2026-02-28\n");
  expect(await said(lastOfQuarter + 1)).toContain("Period: 2026-03-01 to 2026-03-31\n");
});

test.for(zones.slice(2, size(4, zones.length)))(
  "a process in %s has the day of Dar es Salaam, and sends an order once",
  async (zone) => {
    const service = await teller({ react: accept });
    const till = openTill({ ...environmentAt(service.origin), TZ: zone });
    const before = dayOf(Date.now());
    const { stdout } = await startRun(withdrawal, till).run;
    expect([before, dayOf(Date.now())]).toContain(Object(objectIn(stdout)["request"])["transactionDate"]);
    const [kind] = kinds;
    const first = await startRun(kind.line("R-2"), till).run;
    expect(first.exit).toBe(0);
    expect(objectIn(first.stdout)["openedAt"]).toMatch(/\+03:00$/);
    await expectInvariants(first, { kind, reference: "R-2", till, service: honest(service), repeats: 1 });
  },
);

for (const kind of kinds) {
  test(`${kind.kind}: a repeated order is reported and not sent when the clock is up to ten years off`, async () => {
    const service = await teller({ react: accept });
    const till = openTill(environmentAt(service.origin));
    const first = await till.run(kind.line("R-1"), { now: lastOfQuarter });
    expect(first.exit).toBe(0);
    for (const shift of [-tenYearsMs, -dayMs, -1, 1, dayMs, tenYearsMs]) {
      const again = await till.run(kind.line("R-1"), { now: lastOfQuarter + shift });
      expect(again).toMatchObject({ exit: 0, stdout: first.stdout });
    }
    expect(service.requests).toHaveLength(1);
  });

  test(`${kind.kind}: an unknown order stays unknown whatever the clock shows`, async () => {
    const service = await teller({ react: saying("500 Oops", "") });
    const till = openTill(environmentAt(service.origin));
    for (const shift of [0, ...shifts]) {
      const run = await till.run(kind.line("R-1"), { now: lastOfQuarter + shift });
      expect(run).toMatchObject({ exit: 6 });
    }
    // Future days are not requested: the service would refuse a statement of them.
    const found = await till.run("journal resolve R-1 --json", { now: lastOfQuarter - tenYearsMs });
    expect(found).toMatchObject({ exit: 6, stdout: expect.stringContaining('"state": "unknown"') });
    const decided = await till.run("journal resolve R-1 --as refused --evidence seen --unchecked --json", {
      now: lastOfQuarter - tenYearsMs,
    });
    expect(decided).toMatchObject({ exit: 0 });
    service.react(accept);
    expect(await till.run(kind.line("R-1"), { now: lastOfQuarter - 2 * tenYearsMs })).toMatchObject({ exit: 0 });
    expect(service.requests.filter(({ path }) => path === kind.path)).toHaveLength(2);
    expect(await till.movements()).toMatchObject([{ state: kind.state, openedAt: lastOfQuarter - 2 * tenYearsMs }]);
  });

  test.for([
    ["back", -tenYearsMs],
    ["forward", tenYearsMs],
  ] as const)(
    `${kind.kind}: a clock that jumps ten years %s while the request is in flight does not change the outcome`,
    async ([, shift]) => {
      const clock = jumpingClock(lastOfQuarter);
      const service = await teller({
        react(socket, request) {
          clock.jump(shift);
          accept(socket, request);
        },
      });
      const till = openTill(environmentAt(service.origin));
      const first = await till.run(kind.line("R-1"), { clock });
      expect(first).toMatchObject({ exit: 0 });
      const [movement] = await till.movements();
      expect(movement).toMatchObject({ state: kind.state, openedAt: lastOfQuarter });
      expect(movement?.changedAt).toBe(lastOfQuarter + shift);
      const shown = objectIn((await till.run("journal show R-1 --json")).stdout)["history"];
      expect(Array.isArray(shown) && shown.map((event) => Object(event).step)).toEqual(["claim", "send", "settle"]);
      await expectInvariants(first, { kind, reference: "R-1", till, service: honest(service) });
    },
  );
}

test("a clock that was set back does not make a run wait for ever for another machine's order", async () => {
  const [kind] = kinds;
  const service = await teller({ react: accept });
  const till = openTill(environmentAt(service.origin));
  const machine = { processFate: (): ProcessFate => "unclear" };
  const elsewhere = memoryHost({ now: lastOfQuarter, machine: { ...machine, processMark: () => "elsewhere" } });
  const configFolder = till.environment["PARTNER_CONFIG_DIR"] ?? "";
  const place = {
    stateFolder: till.stateFolder,
    configFolder,
    version: "test",
    use: "write",
    warn: () => undefined,
  } as const;
  const journal = await openJournal(elsewhere, place);
  const order = kind.order("R-1");
  const opening = await journal.open({
    ...order,
    scope: accountScope({ environment: "simulator", baseUrl: service.origin, accountId }),
    request: encodeRequest(order.endpoint, order.input).body ?? "",
    deadlineMs: 30_000,
  });
  if (opening.outcome === "claimed") opening.claim.beforeFirstByte("request-1");
  await journal.close();

  const waiting = await till.run(`${kind.line("R-1")} --timeout 30s`, { now: lastOfQuarter - tenYearsMs, machine });
  expect(waiting).toMatchObject({ exit: 6, stdout: expect.stringContaining('"state": "sending"') });
  expect(waiting.stderr).toContain("Another process is working on the transfer R-1; waiting for its outcome.\n");
  const later = await till.run(kind.line("R-1"), { now: lastOfQuarter + dayMs, machine });
  expect(later).toMatchObject({ exit: 6, stdout: expect.stringContaining('"state": "unknown"') });
  expect(service.requests).toEqual([]);
});

/** A clock that can be set while it runs; the elapsed time does not jump with it. */
function jumpingClock(start: number): MemoryClock & { jump(ms: number): void } {
  const { clock } = memoryHost({ now: start });
  let jumpedMs = 0;
  return {
    ...clock,
    now: () => clock.now() + jumpedMs,
    jump: (ms) => void (jumpedMs += ms),
  };
}
