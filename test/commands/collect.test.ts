import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { Socket } from "node:net";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { collectionOutcomes } from "../../src/simulator/outcomes.ts";
import { freePort } from "../free-port.ts";
import { start } from "../host/servers.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { World } from "../memory-host.ts";
import { hastySqlite, lock } from "../movements/till.ts";
import type { Run } from "../partner.ts";
import { run as runPartner, words } from "../partner.ts";
import { now, test } from "../simulated.ts";
import { stopTime } from "../stopped-time.ts";
import type { Played } from "./collection-service.ts";
import { behind, collectionService, post, says, transactionId } from "./collection-service.ts";
import { environmentAt, errorIn } from "./served.ts";

const order = "--channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference INV-1 --yes --json";
const toAnybody = `collect --msisdn 255712345678 ${order}`;
/** A number for which no callback ever comes. */
const toNobody = `collect --msisdn 255712990003 ${order}`;

/** The movement that a run printed. */
function movementIn({ stdout }: Pick<Run, "stdout">): Record<string, unknown> {
  return Object(JSON.parse(stdout));
}

/** The clock stops: a wait ends only by what it waits for. */
const never = () => new Promise<void>(() => undefined);

/** A zombie process counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

const endings: Readonly<Record<string, readonly [exit: number, state: string, evidence: string]>> = {
  "": [0, "accepted", "callback"],
  "990001": [4, "refused", "callback"],
  "990002": [6, "unknown", "callback"],
  "990003": [7, "pending", "answer"],
  "990004": [0, "accepted", "callback"],
  "990005": [4, "refused", "answer"],
  "990006": [4, "refused", "answer"],
  "990007": [6, "unknown", "answer"],
  "990008": [6, "unknown", "answer"],
  "990009": [7, "pending", "answer"],
  // Both callbacks come during the run.
  "990010": [6, "unknown", "callback"],
  "990011": [7, "pending", "answer"],
};

describe("collect --wait", () => {
  test("has an expected outcome for every number of the simulator", () => {
    expect(Object.keys(endings).filter(Boolean).toSorted()).toEqual(collectionOutcomes.map(({ ending }) => ending));
  });

  test.for(Object.entries(endings))(
    "gives the expected outcome for a number that ends in %s",
    async ([ending, [exit, state, evidence]], { simulator, partnerIn }) => {
      const partner = partnerIn({ meanwhile: () => simulator.idle() });
      const msisdn = `255710${ending.padStart(6, "1")}`;
      const ended = await partner`collect --msisdn ${msisdn} ${order} --wait`;
      expect(ended).toMatchObject({ exit });
      const movement = movementIn(ended);
      expect(movement).toMatchObject({ kind: "collect", state, evidence, reference: "INV-1" });
      expect(movement["settledAt"] === null).toBe(state === "pending" || state === "unknown");
      if (exit !== 0) expect(errorIn(ended)).toMatchObject({ reference: "INV-1", requestId: movement["requestId"] });
    },
  );

  test("prints its address and the time left without secrets, and with --quiet only the error", async ({
    partnerIn,
    simulator,
  }) => {
    const line = "--wait --wait-for 40s";
    const { stderr } = await partnerIn({})`${toNobody} ${line}`;
    expect(stderr).toMatch(
      /^ready http:\/\/127\.0\.0\.1:\d+\nWaiting for the callback, 40s left\.\n.*25s left\.\n.*10s left\.\nError: /,
    );
    const secret = simulator.world.collections.get("INV-1")?.callbackUrl.split("/").at(-1) ?? "none";
    expect(secret).toMatch(/^[\w-]{43}$/);
    const debug = await partnerIn({})`${toNobody.replace("INV-1", "INV-2")} ${line} --debug`;
    const other = simulator.world.collections.get("INV-2")?.callbackUrl.split("/").at(-1) ?? "none";
    expect(debug.stderr).toContain("> POST ");
    expect(stderr + debug.stderr).not.toContain(secret);
    expect(debug.stderr).not.toContain(other);
    const quiet = await partnerIn({})`${toNobody.replace("INV-1", "INV-3")} ${line} --quiet`;
    expect(quiet.stderr).toMatch(/^Error: /);
  });

  test("reports a callback with an unknown status word, once", async ({ partnerIn, simulator }) => {
    const partner = partnerIn({ meanwhile: () => simulator.idle() });
    const strange = await partner`collect --msisdn 255710990011 ${order} --wait`;
    expect(strange.stderr.match(/A callback says "SESSION_EXPIRED"/g)).toHaveLength(1);
  });

  test("does not wait for a callback when the answer leaves the outcome unknown", async ({ partner }) => {
    const { stderr } = await partner`collect --msisdn 255710990007 ${order} --wait`;
    expect(stderr).not.toContain("Waiting");
  });

  test.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ] as const)(
    "that %s interrupts exits with %i and leaves the order pending",
    async ([signal, exit], { partnerIn }) => {
      const interruption = new AbortController();
      const folders = { PARTNER_CONFIG_DIR: temporaryFolder() };
      const world = { environment: folders, host: { signal: interruption.signal } };
      const ended = await partnerIn({ ...world, meanwhile: () => interruption.abort(signal) })`${toNobody} --wait`;
      expect(ended.exit).toBe(exit);
      expect(movementIn(ended)).toMatchObject({ state: "pending" });
      expect(errorIn(ended)).toMatchObject({ ending: "interrupted", money: "unknown", reference: "INV-1" });
      const shown = await partnerIn({ environment: folders })`journal show INV-1 --json`;
      expect(JSON.parse(shown.stdout)).toMatchObject({ state: "pending" });
    },
  );

  test("is refused before sending when the service cannot reach this machine", async () => {
    const environment = { ...environmentAt("https://pay.example/v1"), PARTNER_ENVIRONMENT: "live" };
    const ended = await runPartner(words(`${toAnybody} --wait --debug`), { environment });
    expect(ended).toMatchObject({ exit: 2, stdout: "" });
    expect(ended.stderr).not.toContain("> POST");
    expect(errorIn(ended)["hint"]).toMatch(/--callback-url URL.*--tunnel.*profile set NAME callbackUrl=/);
  });

  test("is refused before sending when the port is in use", async ({ partner, simulator }) => {
    const port = await start(createServer());
    const ended = await partner`${toAnybody} --wait --listen 127.0.0.1:${port}`;
    expect(ended).toMatchObject({ exit: 5, stdout: "" });
    expect(errorIn(ended)).toMatchObject({ ending: "unavailable", money: "not moved" });
    expect(simulator.world.collections.size).toBe(0);
  });

  test("appends the secret to the path of the public address and keeps its query", async ({ partner, simulator }) => {
    const address = "https://hooks.example/partner/?tenant=7";
    await partner`${toNobody} --wait --wait-for 1s --callback-url ${address}`;
    const url = simulator.world.collections.get("INV-1")?.callbackUrl;
    expect(url).toMatch(/^https:\/\/hooks\.example\/partner\/[\w-]{43}\?tenant=7$/);
  });

  test("run a second time finds the first order and sends nothing", async ({ partnerIn, simulator }) => {
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
    const first = await partnerIn({ environment })`${toNobody} --wait --wait-for 5s`;
    const again = await partnerIn({ environment, seed: 2 })`${toNobody} --wait --wait-for 5s`;
    expect([first.exit, again.exit]).toEqual([7, 7]);
    expect(again.stderr).toContain("This reference was ordered before (pending); nothing was sent now.");
    expect(movementIn(again)).toEqual(movementIn(first));
    expect(simulator.world.collections.size).toBe(1);
  });

  test("run again at another address says which address the service was given", async ({ partnerIn, simulator }) => {
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
    await partnerIn({ environment })`${toNobody} --wait --wait-for 5s`;
    const { origin } = new URL(simulator.world.collections.get("INV-1")?.callbackUrl ?? "");
    const [elsewhere, there] = [await freePort(), new URL(origin).port];
    const again = (port: number | string) =>
      partnerIn({ environment, seed: 2 })`${toNobody} --wait --wait-for 5s --listen 127.0.0.1:${port}`;
    const words = `The service was given ${origin} for this order, and not http://127.0.0.1:${elsewhere}. Unless that leads here, no callback comes. Have the statement read: partner `;
    const { stderr } = await again(elsewhere);
    expect(stderr).toContain(words);
    const [, command = ""] = /read: partner (journal resolve [\w-]{36})\n/.exec(stderr) ?? [];
    expect(await partnerIn({ environment })`${command}`).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("INV-1"),
    });
    expect((await again(there)).stderr).not.toContain("The service was given");
  });

  test("run again at the first address receives a late callback", async ({ partnerIn, simulator }) => {
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
    await partnerIn({ environment })`${toNobody} --wait --wait-for 5s`;
    const earlier = simulator.world.collections.get("INV-1");
    const port = await freePort();
    const meanwhile = behind(async () => {
      const url = new URL(earlier?.callbackUrl ?? "");
      url.port = String(port);
      expect(await post(url.href, says("PAYMENT_ACCEPTED", "INV-1", earlier?.transactionId))).toMatchObject({
        status: 200,
      });
    });
    const again = await partnerIn({ environment, seed: 2, meanwhile })`${toNobody} --wait --listen 127.0.0.1:${port}`;
    expect(again).toMatchObject({ exit: 0 });
    expect(movementIn(again)).toMatchObject({ state: "accepted", evidence: "callback" });
  });

  test("keeps the outcome of a late callback in a slip while the journal is locked", async ({
    partnerIn,
    simulator,
  }) => {
    const folder = temporaryFolder();
    const environment = { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: join(folder, "state") };
    await partnerIn({ environment })`${toNobody} --wait --wait-for 5s`;
    const earlier = simulator.world.collections.get("INV-1");
    const port = await freePort();
    let unlock: (() => void) | undefined;
    const meanwhile = behind(async () => {
      unlock ??= lock({ stateFolder: environment.PARTNER_STATE_DIR }, "writers");
      const url = new URL(earlier?.callbackUrl ?? "");
      url.port = String(port);
      await post(url.href, says("PAYMENT_ACCEPTED", "INV-1", earlier?.transactionId));
    });
    const world = { environment, seed: 2, meanwhile, host: { sqlite: () => Promise.resolve(hastySqlite()) } };
    stopTime();
    const again = await partnerIn(world)`${toNobody} --timeout 1s --wait --listen 127.0.0.1:${port}`;
    unlock?.();
    expect(again.exit).toBe(0);
    expect(again.stderr).toContain("the next run enters it");
    expect(movementIn(again)).toMatchObject({ state: "accepted", evidence: "callback" });
    const list = await partnerIn({ environment })`journal list --csv --no-header --columns reference,state`;
    expect(list.stdout).toBe("INV-1,accepted\n");
    expect(readdirSync(environment.PARTNER_STATE_DIR).filter((name) => name.startsWith("slip-"))).toHaveLength(1);
    expect(await partnerIn({ environment, seed: 3 })`${toNobody} --wait`).toMatchObject({ exit: 0 });
    expect(readdirSync(environment.PARTNER_STATE_DIR).filter((name) => name.startsWith("slip-"))).toEqual([]);
  });

  test("ends when another process settles the order", async ({ partnerIn }) => {
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
    const resolved = behind(async () => {
      const said = await partnerIn({ environment })`journal resolve INV-1 --as accepted --evidence "a phone call"`;
      expect(said).toMatchObject({ exit: 0 });
    });
    let asked = false;
    const meanwhile = async () => {
      if (!asked) await resolved();
      asked = true;
    };
    const ended = await partnerIn({ environment, meanwhile })`${toNobody} --wait`;
    expect(ended).toMatchObject({ exit: 0 });
    expect(movementIn(ended)).toMatchObject({ state: "accepted", evidence: "person" });
    expect(ended.stderr).not.toContain("2m");
  });
});

describe("collect --wait --confirm-statement", () => {
  test("settles the order with the row of the statement", async ({ partnerIn, simulator }) => {
    const partner = partnerIn({ meanwhile: () => simulator.idle() });
    const ended = await partner`${toAnybody} --wait --confirm-statement`;
    expect(ended).toMatchObject({ exit: 0 });
    expect(movementIn(ended)).toMatchObject({ state: "accepted", evidence: "statement" });
  });

  test("finds the payment when the callback was lost", async ({ partnerIn, simulator }) => {
    const partner = partnerIn({ meanwhile: () => simulator.idle() });
    const ended = await partner`collect --msisdn 255710990009 ${order} --wait --confirm-statement`;
    expect(ended).toMatchObject({ exit: 0 });
    expect(movementIn(ended)).toMatchObject({ state: "accepted", evidence: "statement" });
  });

  test("keeps a callback as a claim, and exits with 7, when no statement confirms it in time", async ({
    partnerIn,
    simulator,
  }) => {
    let posted = false;
    const meanwhile = behind(async () => {
      const collection = simulator.world.collections.get("INV-1");
      const body = says("PAYMENT_ACCEPTED", "INV-1", collection?.transactionId);
      if (!posted) expect(await post(collection?.callbackUrl ?? "", body)).toMatchObject({ status: 200 });
      posted = true;
    });
    const ended = await partnerIn({ meanwhile })`${toNobody} --wait --wait-for 1m --confirm-statement`;
    expect(ended).toMatchObject({ exit: 7 });
    expect(movementIn(ended)).toMatchObject({ state: "accepted", evidence: "callback" });
    expect(errorIn(ended)["message"]).toContain("no statement showed it within 1m");
    expect(ended.stderr.match(/Waiting for the row/g)?.length).toBeGreaterThan(3);
  });

  test("does not look for a row when the order was refused", async ({ partnerIn, simulator }) => {
    const partner = partnerIn({ meanwhile: () => simulator.idle() });
    const ended =
      await partner`collect --msisdn 255710990001 ${order} --wait --confirm-statement --check-statement never --debug`;
    expect(ended).toMatchObject({ exit: 4 });
    expect(ended.stderr).not.toContain("/wallet/statement");
  });

  test.for([
    ["the service fails", "The service has a problem of its own (500 SERVER_ERROR)."],
    [
      "no wallet is left",
      "The service lists no default collection wallet of the country TZ, so no statement was read.",
    ],
  ] as const)(
    "exits with 7 and says why the statement could not be read: %s",
    async ([trouble, says], { partnerIn, simulator, faults }) => {
      const partner = partnerIn({
        meanwhile: async () => {
          await simulator.idle();
          if (trouble === "the service fails") faults.plan("fail-request=wallet-statement");
          else simulator.world.wallets.clear();
        },
      });
      const ended = await partner`${toAnybody} --wait --wait-for 30s --confirm-statement --retries 0`;
      expect(ended.exit).toBe(7);
      expect(movementIn(ended)).toMatchObject({ state: "accepted", evidence: "callback" });
      expect(ended.stderr).toContain(`The statement did not settle it. ${says}\n`);
    },
  );
});

/** Runs `collect --wait` against a service with scripted answers. */
async function played(play: Played, world: World = {}): Promise<Run & { readonly stays: Record<string, unknown> }> {
  const service = await collectionService(play);
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder(), ...service.environment };
  const ended = await runPartner(words(`${toAnybody} --wait --wait-for 1m --check-statement never`), {
    now,
    ...world,
    environment,
  });
  expect(service.collections).toHaveLength(1);
  const shown = await runPartner(words("journal show INV-1 --json"), { now, environment });
  return { ...ended, stays: movementIn(shown) };
}

describe("callbacks", () => {
  test("that come before the answer count", async () => {
    const ended = await played(async ({ callbackUrl }) => {
      expect(await post(callbackUrl, says("PAYMENT_ACCEPTED"))).toEqual({
        status: 200,
        text: '{"message":"received"}',
      });
      return says("PENDING_ACK");
    });
    expect(ended).toMatchObject({ exit: 0 });
    expect(ended.stays).toMatchObject({ state: "accepted", evidence: "callback", transactionId });
  });

  test("about another transaction that come before the answer do not count", async () => {
    const ended = await played(async ({ callbackUrl }) => {
      await post(callbackUrl, says("PAYMENT_ACCEPTED", "INV-1", "anotherOne12"));
      return says("PENDING_ACK");
    });
    expect(ended).toMatchObject({ exit: 7 });
    expect(ended.stays).toMatchObject({ state: "pending" });
  });

  test("beyond the first hundred before the answer are turned away", async () => {
    const statuses: number[] = [];
    const ended = await played(async ({ callbackUrl }) => {
      for (let count = 0; count < 102; count += 1)
        statuses.push((await post(callbackUrl, says(count === 0 ? "PAYMENT_REJECTED" : "PENDING_ACK"))).status);
      return says("PENDING_ACK");
    });
    expect(statuses).toEqual([...Array<number>(100).fill(200), 404, 404]);
    expect(ended).toMatchObject({ exit: 4 });
  });

  test("that contradict each other leave the order unknown, and both are in the history", async () => {
    const ended = await played(async ({ callbackUrl }) => {
      for (const word of ["SESSION_EXPIRED", "PENDING_ACK", "PAYMENT_REJECTED", "PAYMENT_REJECTED", "PAYMENT_ACCEPTED"])
        await post(callbackUrl, says(word));
      return says("PENDING_ACK");
    });
    expect(ended).toMatchObject({ exit: 6 });
    expect(ended.stderr).toContain("A callback contradicts the first one: PAYMENT_REJECTED, then PAYMENT_ACCEPTED.");
    expect(errorIn(ended)).toMatchObject({ ending: "unknown", money: "unknown" });
    expect(ended.stays).toMatchObject({
      state: "unknown",
      history: expect.arrayContaining([
        expect.objectContaining({ step: "resolve", to: "refused", note: "The callback said PAYMENT_REJECTED" }),
        expect.objectContaining({ step: "contradict", to: "accepted", note: "The callback said PAYMENT_ACCEPTED" }),
      ]),
    });
  });

  test("with an error first and an acceptance later leave the order unknown", async () => {
    const ended = await played(async ({ callbackUrl }) => {
      await post(callbackUrl, says("GENERIC_FAILURE"));
      await post(callbackUrl, says("PAYMENT_ACCEPTED"));
      return says("PENDING_ACK");
    });
    expect(ended).toMatchObject({ exit: 6 });
    expect(ended.stderr).toContain("A callback contradicts the first one: GENERIC_FAILURE, then PAYMENT_ACCEPTED.");
    expect(ended.stays).toMatchObject({ state: "unknown", evidence: "callback" });
  });

  test.for([
    ["PAYMENT_ACCEPTED", 0, "accepted"],
    ["INSUFFICIENT_FUNDS", 4, "refused"],
    ["PROVIDER_FAILED", 4, "refused"],
    ["GENERIC_ERROR", 6, "unknown"],
  ] as const)("with %s settle an order whose answer was lost", async ([word, exit, state]) => {
    let url = "";
    const meanwhile = behind(async () => {
      expect(await post(url, says(word))).toMatchObject({ status: 200 });
    });
    const ended = await played(
      async ({ callbackUrl }) => {
        url = callbackUrl;
        return undefined;
      },
      { meanwhile },
    );
    expect(ended).toMatchObject({ exit });
    expect(ended.stays).toMatchObject({ state, evidence: "callback", transactionId });
  });

  test("that never come leave an order with a lost answer unknown", async () => {
    const ended = await played(async () => undefined);
    expect(ended).toMatchObject({ exit: 6 });
    expect(ended.stays).toMatchObject({ state: "unknown" });
  });

  test("that are not genuine all get the same 404, and change nothing", async () => {
    const answers: unknown[] = [];
    let url = "";
    let tried = false;
    const meanwhile = behind(async () => {
      if (tried) return;
      tried = true;
      const genuine = says("PAYMENT_ACCEPTED");
      const { origin } = new URL(url);
      const shifted = url.slice(0, -1) + (url.endsWith("A") ? "B" : "A");
      for (const [target, body, method] of [
        [shifted, genuine],
        [url.slice(0, -1), genuine],
        [`${url}A`, genuine],
        [`${url}/`, genuine],
        [`${origin}/`, genuine],
        [url, "", "GET"],
        [url, genuine, "PUT"],
        [url, says("PAYMENT_ACCEPTED", "INV-2")],
        [url, says("PAYMENT_ACCEPTED", "INV-1", "anotherOne12")],
        [url, says("PAYMENT_ACCEPTED", "INV-1", "")],
        [url, genuine.replace("}", `,"meta":"${"x".repeat(65_536)}"}`)],
        [url, genuine.replaceAll('"', "'")],
        [url, `[${genuine}]`],
        [url, genuine.replace('"PAYMENT_ACCEPTED"', "200")],
        [url, '"PAYMENT_ACCEPTED"'],
        [url, ""],
      ] as const)
        answers.push(await post(target, body, method));
    });
    const ended = await played(
      async ({ callbackUrl }) => {
        url = callbackUrl;
        return says("PENDING_ACK");
      },
      { meanwhile },
    );
    expect(answers).toEqual(Array.from({ length: 16 }, () => ({ status: 404, text: '{"message":"not found"}' })));
    expect(ended).toMatchObject({ exit: 7 });
    expect(ended.stays).toMatchObject({ state: "pending" });
  });

  test("are received behind a path prefix, among a thousand junk and slow connections", async () => {
    const sockets: Socket[] = [];
    let url = "";
    const meanwhile = behind(async () => {
      const { port, origin, pathname } = new URL(url);
      const junk = ["\0\u0001\u0002", "GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\ncontent-length: 99\r\n\r\n{", ""];
      for (let count = 0; count < 1_000; count += 1) {
        const socket = connect(Number(port), "127.0.0.1");
        socket.on("error", () => undefined);
        socket.write(junk[count % junk.length] ?? "");
        sockets.push(socket);
        if (count % 100 === 99) await once(socket, "connect");
      }
      expect(await post(`${origin}/tenant/7${pathname}?a=b`, says("PAYMENT_ACCEPTED"))).toMatchObject({ status: 200 });
    });
    const ended = await played(
      async ({ callbackUrl }) => {
        url = callbackUrl;
        return says("PENDING_ACK");
      },
      { meanwhile },
    );
    expect(ended).toMatchObject({ exit: 0 });
    // Connections still open are cut at the end of the run.
    const open = sockets.filter(({ closed }) => !closed);
    await Promise.all(open.map((socket) => once(socket.resume(), "close")));
  });
});

describe("collect", () => {
  test("without --wait leaves the order pending and exits with 0", async ({ partner, simulator }) => {
    const ended = await partner`${toAnybody} --callback-url http://127.0.0.1:9/hook`;
    expect(ended).toMatchObject({ exit: 0 });
    expect(movementIn(ended)).toMatchObject({ state: "pending", evidence: "answer", settledAt: null });
    expect(simulator.world.collections.get("INV-1")).toMatchObject({
      msisdn: "255712345678",
      amount: "1500",
      narration: "lunch",
      transactionDate: "2026-03-31 12:00:00",
      callbackUrl: "http://127.0.0.1:9/hook",
    });
  });

  test("without a callback address is refused, and the hint says how to give one", async ({ partner, simulator }) => {
    const ended = await partner`${toAnybody}`;
    expect(ended).toMatchObject({ exit: 2, stdout: "" });
    expect(errorIn(ended)["hint"]).toMatch(/--callback-url URL.*profile set NAME callbackUrl=URL.*: --wait$/);
    expect(simulator.world.collections.size).toBe(0);
  });

  test("without a callback address for a remote service is refused, and the hint suggests a tunnel", async ({
    partnerIn,
    simulator,
  }) => {
    const ended = await partnerIn({ environment: { PARTNER_BASE_URL: "https://api.example/v1" } })`${toAnybody}`;
    expect(ended).toMatchObject({ exit: 2, stdout: "" });
    expect(errorIn(ended)["hint"]).toMatch(/To wait for it here: --wait --tunnel "CMD \{port\}"$/);
    expect(simulator.world.collections.size).toBe(0);
  });

  test("uses the profile's callback address", async ({ partner, partnerIn, simulator }) => {
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
    const stdin = JSON.stringify({ secretKey: simulator.secretKey });
    const added = await partnerIn({ environment, stdin })`profile add shop --environment simulator
      --base-url ${simulator.baseUrl} --account-id ${simulator.accountId} --secrets-from -
      --callback-url https://hooks.example/partner`;
    expect(added).toMatchObject({ exit: 0 });
    const cleared = { PARTNER_BASE_URL: "", PARTNER_ENVIRONMENT: "", PARTNER_ACCOUNT_BASE_URL: "" };
    const none = { ...cleared, PARTNER_ACCOUNT_ID: "", PARTNER_SECRET_KEY: "", PARTNER_ACCESS_TOKEN: "" };
    const ended = await partnerIn({ environment: { ...environment, ...none } })`${toAnybody} --profile shop`;
    expect(ended).toMatchObject({ exit: 0 });
    expect(simulator.world.collections.get("INV-1")?.callbackUrl).toBe("https://hooks.example/partner");
    expect((await partner`${toAnybody}`).exit).toBe(2);
  });

  test.for([
    ["--amount 10.5", "not a whole number"],
    ["--amount 0", "not more than zero"],
    ["--msisdn 0812", "isn't a valid Tanzanian mobile number"],
    ["--msisdn ０７１２３４５６７８", "has digits other than 0 to 9"],
    ["--callback-url http://hooks.example/", "must be an https URL"],
    ["--callback-url hooks.example", "must be an https URL"],
    ["--callback-url https://hooks.example/ --listen 127.0.0.1:0", "Without --wait, --listen would have no effect"],
    ["--wait-for 1m --confirm-statement", "Without --wait, --wait-for and --confirm-statement would have no effect"],
    ["--wait --listen 8080", "isn't a valid address to listen on"],
    ["--wait --listen 127.0.0.1:70000", "isn't a valid address to listen on"],
    ["--wait --listen 192.0.2.1:0", "a callback to 192.0.2.1 needs --callback-url"],
    ["--wait --wait-for 3", "isn't a valid length of time"],
    ["--wait --callback-url hooks.example", "must be an https URL"],
    ['--wait --tunnel ""', "is empty"],
    [`--wait --tunnel "say 'x"`, "a quote that is not closed"],
    ["--wait --tunnel no-such-program", "cannot be run"],
    ["--wait --tunnel x --callback-url https://hooks.example/", "--callback-url gives another one"],
  ] as const)("with %s is refused before sending", async ([flags, message], { partner, simulator }) => {
    const line = toAnybody.replace("--amount 1500", flags.startsWith("--amount") ? "" : "--amount 1500");
    const typed = flags.startsWith("--msisdn") ? line.replace("--msisdn 255712345678", "") : line;
    const ended = await partner`${typed} ${flags}`;
    expect(ended).toMatchObject({ exit: 2, stdout: "" });
    expect(ended.stderr).toContain(message);
    expect(simulator.world.collections.size).toBe(0);
  });

  test("under a used reference with another callback address is refused, and names the difference", async ({
    partnerIn,
  }) => {
    const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
    await partner`${toNobody} --callback-url https://one.example/`;
    const other = await partner`${toNobody} --callback-url https://two.example/`;
    expect(other).toMatchObject({ exit: 2, stdout: "" });
    const difference = { callbackUrl: "was https://one.example/, is https://two.example/ now" };
    expect(errorIn(other)["details"]).toMatchObject(
      Object.fromEntries(
        Object.entries(difference).map(([name, text]) => [name, text.replaceAll(/(https:\S+\/)/g, '"$1"')]),
      ),
    );
    const waiting = await partner`${toNobody} --wait`;
    expect(waiting).toMatchObject({ exit: 2, stdout: "" });
    expect(Object.keys(Object(errorIn(waiting)["details"]))).toContain("callbackUrl");
  });

  test("with --dry-run shows the request without the secret, opens no port and sends nothing", async ({
    partner,
    simulator,
  }) => {
    const port = await start(createServer());
    const ended = await partner`${toAnybody} --wait --listen 127.0.0.1:${port} --dry-run`;
    expect(ended).toMatchObject({ exit: 0 });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      dryRun: true,
      request: { amount: 1500, callbackUrl: `http://127.0.0.1:${port}/[secret]` },
    });
    expect(simulator.world.collections.size).toBe(0);
  });

  test("asks on a terminal with a warning for a doubtful channel, and sends nothing after a no", async ({
    partnerIn,
    simulator,
  }) => {
    const world = { terminal: { stdin: true, stderr: true }, answers: [false] };
    const line = toAnybody.replace(" --yes", "").replace("TZ-TIGO-C2B", "TZ-AIRTEL-C2B");
    const ended = await partnerIn(world)`${line} --wait`;
    expect(ended).toMatchObject({ exit: 130, stdout: "" });
    expect(ended.stderr).toContain("Warning: 255712345678 does not look like a number of AIRTEL");
    expect(ended.stderr).toContain("Collect 1,500.00 TZS from 255712345678\n");
    expect(ended.stderr).not.toContain("ready http");
    expect(simulator.world.collections.size).toBe(0);
  });
});

describe("collect --wait --tunnel", () => {
  test("sends the address that the tunnel prints, and ends the tunnel with its child processes", async ({
    partnerIn,
    simulator,
  }) => {
    const pids = join(temporaryFolder(), "pids");
    const script = join(temporaryFolder(), "tunnel.sh");
    writeFileSync(
      script,
      [
        `sleep 60 & echo "$! $$" > ${pids}`,
        "echo see http://plain.example >&2",
        'printf "at <https://t$1.exa" >&2',
        'printf "mple/in/>. (https://late.example) " >&2',
        "wait\n",
      ].join("\n"),
    );
    const meanwhile = behind(async () => {
      const collection = simulator.world.collections.get("INV-1");
      if (collection === undefined) return never();
      const [, port, path] = /^https:\/\/t(\d+)\.example\/in(\/[\w-]{43})$/.exec(collection.callbackUrl) ?? [];
      const body = says("PAYMENT_ACCEPTED", "INV-1", collection.transactionId);
      expect(await post(`http://127.0.0.1:${port}/in${path}`, body)).toMatchObject({ status: 200 });
    });
    const ended = await partnerIn({ meanwhile })`${toNobody} --wait --tunnel "sh ${script} {port}"`;
    expect(ended).toMatchObject({ exit: 0 });
    const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    expect(started).toHaveLength(2);
    await expect.poll(() => started.filter(isRunning)).toEqual([]);
  });

  test.for(["no-such-program", "sh -c 'exit 3'"])(
    "%s: no wait is left over after the run",
    async (command, { partnerIn }) => {
      let waiting = 0;
      const sleep = async (_ms: number, signal: AbortSignal) => {
        waiting += 1;
        await once(signal, "abort");
        waiting -= 1;
      };
      const clock = { ...memoryHost({ now }).clock, sleep };
      await partnerIn({ clock })`${toAnybody} --wait --tunnel "${command}"`;
      expect(waiting).toBe(0);
    },
  );

  test.for([
    ["sh -c 'echo hello; exit 3'", "ended with exit code 3"],
    ["sh -c 'exec sleep 60'", "named no https address within 20 s"],
    ["sh -c 'echo https://[/; sleep 60'", "named no https address within 20 s"],
  ] as const)("%s: the run ends with 5, and nothing is sent", async ([command, message], { partnerIn, simulator }) => {
    const meanwhile = command.includes("exec") ? () => undefined : never;
    const ended = await partnerIn({ meanwhile })`${toAnybody} --wait --tunnel "${command}"`;
    expect(ended).toMatchObject({ exit: 5, stdout: "" });
    expect(errorIn(ended)).toMatchObject({ money: "not moved", message: expect.stringContaining(message) });
    expect(simulator.world.collections.size).toBe(0);
  });
});
