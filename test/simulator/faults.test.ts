import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/host/server/node-listener.ts";
import { parseFault } from "../../src/simulator/fault.ts";
import { run } from "../partner.ts";
import { readFaults } from "../../src/simulator/faults.ts";
import { faultKinds } from "../../src/simulator/faults/kinds.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { memoryHost } from "../memory-host.ts";
import { groupA, say, small, smallWorld, started } from "./small-world.ts";

const transferBody = '{"amount":100,"from":"1042","to":"0043","description":"rent [R-1]"}';
const transfer = `POST /partner/v1/transaction/transfer-local HTTP/1.1\n${groupA}\n\n${transferBody}`;
const wallets = `GET /partner/v1/wallet HTTP/1.1\n${groupA}`;

/** How many transfers the world has booked. */
function moved(simulator: RunningSimulator): number {
  const { entries } = simulator.world.wallet("0043");
  expect(simulator.world.wallet("0043").balance.toString()).toBe(`12345678901234${567 + entries.length * 100}.10`);
  return entries.length;
}

/** Sends a request and returns the answer, complete or not. */
function hear({ accountBaseUrl }: RunningSimulator, request: string): Promise<{ bytes: string; last: string }> {
  const [head = "", body = ""] = request.split("\n\n");
  const text = `${head}\nhost: x\ncontent-length: ${Buffer.byteLength(body)}\nconnection: close\n\n`;
  return new Promise((resolve) => {
    let bytes = "";
    const socket = connect(Number(new URL(accountBaseUrl).port), "127.0.0.1", () =>
      socket.write(text.replaceAll("\n", "\r\n") + body),
    );
    socket.on("data", (part) => {
      bytes += part.toString();
      // Silence causes no event, so the socket is closed here.
      if (bytes.length === 20) socket.destroy();
    });
    socket.on("close", () => resolve({ bytes, last: "silence" }));
    socket.on("error", () => resolve({ bytes, last: "reset" }));
    socket.on("end", () => resolve({ bytes, last: "end" }));
  });
}

const requestFaults = [
  ["reset-request", 0, "reset", /^$/],
  ["fail-request", 0, "end", /^HTTP\/1\.1 500 .*"SERVER_ERROR"/s],
  ["refuse-request=FAILED", 0, "end", /^HTTP\/1\.1 200 .*\{"narration":"rent \[R-1\]","statusCode":"FAILED"\}$/s],
  ["lose-answer", 1, "reset", /^$/],
  ["fail-answer", 1, "end", /^HTTP\/1\.1 500 .*"SERVER_ERROR"/s],
  ["swap-answer", 1, "end", /^HTTP\/1\.1 200 .*"narration":"rent \[R-0\]"/s],
  ["cut-answer=17", 1, "end", /^HTTP\/1\.1 200 OK\r\n$/],
  ["reset-answer=15", 1, "reset", /^HTTP\/1\.1 200 OK$/],
  ["stall-answer=20", 1, "silence", /^HTTP\/1\.1 200 OK\r\ncon$/],
  ["slow-headers=5ms", 1, "end", /^HTTP\/1\.1 200 .*"transactionId"/s],
  ["slow-body=5ms", 1, "end", /^HTTP\/1\.1 200 .*"transactionId"/s],
  ["interim-answer=103", 1, "end", /^HTTP\/1\.1 103 Early Hints\r\n\r\nHTTP\/1\.1 200 OK\r\n.*"transactionId"/s],
  ["early-callback", 1, "end", /^HTTP\/1\.1 200 .*"transactionId"/s],
  ["say-answer=DONE/LATER", 1, "end", /^HTTP\/1\.1 200 .*"transactionId".*"status":"DONE","statusCode":"LATER"\}$/s],
  ["swap-refusal=FAILED", 1, "end", /^HTTP\/1\.1 200 .*\{"narration":"rent \[R-0\]","statusCode":"FAILED"\}$/s],
  ["bare-refusal=FAILED", 1, "end", /^HTTP\/1\.1 200 .*\r\n\r\n\{"statusCode":"FAILED"\}$/s],
  ["deny-answer", 1, "end", /^HTTP\/1\.1 200 .*"transactionId".*"success":false\}$/s],
  ["error-answer", 1, "end", /^HTTP\/1\.1 200 .*"transactionId".*"error":"Not processed"\}$/s],
  ["repeat-answer=plain", 1, "end", /"narration":"rent \[R-1\]".*"narration":"rent \[R-0\]"\}$/s],
  ["duplicate-answer=unique", 1, "end", /^HTTP\/1\.1 400 .*"description":"\\"description\\" must be unique"/s],
  ["look-alike=twin", 1, "end", /^HTTP\/1\.1 200 .*"transactionId"/s],
] as const;

test.for(requestFaults)("%s: money moves %i times, the connection ends by %s", async ([typed, times, last, bytes]) => {
  const simulator = await small({ faults: readFaults([typed]) });
  expect(await hear(simulator, transfer)).toEqual({ bytes: expect.stringMatching(bytes), last });
  expect(moved(simulator)).toBe(times);
});

test("the table above has every fault of requests", () => {
  const names = faultKinds.filter(({ hits }) => hits === "requests").map(({ name }) => name);
  expect(requestFaults.map(([typed]) => typed.replace(/=.*/, ""))).toEqual(names);
});

test("a slow answer waits as long as given, by the simulator's clock", async () => {
  const faults = readFaults(["slow-headers=500ms", "slow-body=700ms"]);
  const { simulator, host } = await started(memoryHost(), { seed: smallWorld, faults });
  await hear(simulator, transfer);
  expect(host.clock.sleeps).toEqual([500, 700]);
});

test("by default a fault affects requests that move money", async () => {
  const simulator = await small({ faults: readFaults(["fail-answer"]) });
  expect((await say(simulator, wallets)).status).toBe(200);
  expect((await say(simulator, transfer)).status).toBe(500);
  const other = await small({ faults: readFaults(["fail-answer=list-wallets"]) });
  expect((await say(other, wallets)).status).toBe(500);
  expect((await say(other, transfer)).status).toBe(200);
  const every = await small({ faults: readFaults(["fail-answer=any"]) });
  expect([(await say(every, wallets)).status, (await say(every, transfer)).status]).toEqual([500, 500]);
});

test("a statement and the list of wallets can hang, be slow or fail", async () => {
  const statement = `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n{"accountNo":"1042","startDate":"2026-03-01","endDate":"2026-03-31"}`;
  const hanging = await small({
    faults: readFaults(["stall-answer=20,wallet-statement", "stall-answer=20,list-wallets"]),
  });
  expect([(await hear(hanging, statement)).last, (await hear(hanging, wallets)).last]).toEqual(["silence", "silence"]);
  const failing = await small({ faults: readFaults(["fail-request=wallet-statement"]) });
  expect([(await say(failing, statement)).status, (await say(failing, wallets)).status]).toEqual([500, 200]);
  const faults = readFaults(["slow-headers=30s,wallet-statement", "slow-body=30s,list-wallets"]);
  const { simulator, host } = await started(memoryHost(), { seed: smallWorld, faults });
  expect([(await say(simulator, statement)).status, (await say(simulator, wallets)).status]).toEqual([200, 200]);
  expect(host.clock.sleeps).toEqual([30_000, 30_000]);
});

test("a fault with a number affects only that request", async () => {
  const simulator = await small({ faults: readFaults(["fail-answer=transfer:2", "fail-request=any:4"]) });
  const statuses = [];
  for (const request of [transfer, transfer, wallets, wallets, transfer])
    statuses.push((await say(simulator, request)).status);
  expect(statuses).toEqual([200, 500, 200, 500, 200]);
});

test("faults can be added to a running simulator and removed again", async () => {
  const faults = readFaults([]);
  const simulator = await small({ faults });
  await say(simulator, transfer);
  faults.add(parseFault("fail-answer=transfer:1", "--fault"));
  expect((await say(simulator, transfer)).status).toBe(500);
  faults.add(parseFault("fail-answer", "--fault"));
  faults.clear();
  expect((await say(simulator, transfer)).status).toBe(200);
});

test("unknown routes are not affected by faults", async () => {
  const simulator = await small({ faults: readFaults(["reset-request=any"]) });
  expect((await say(simulator, `GET /nowhere HTTP/1.1\n${groupA}`)).status).toBe(404);
});

/** The address of a receiver that accepts every callback. */
async function startReceiver(heard: (body: string) => void): Promise<string> {
  const server = await listen(
    { host: "127.0.0.1", port: 0, headersTimeoutMs: 5000, requestTimeoutMs: 5000 },
    async (request) => {
      heard(new TextDecoder().decode(await request.body(10_000)));
      return { status: 200 };
    },
  );
  onTestFinished(() => server.close());
  return server.origin;
}

async function callbacksWith(typed: readonly string[], references: readonly string[]) {
  const receiver = await recorder(answer("200 OK", "{}"));
  onTestFinished(() => receiver.stop());
  const simulator = await small({ faults: readFaults(typed) });
  for (const reference of references) {
    const body = `{"msisdn":"255712345678","channel":"TZ-TIGO-C2B","amount":1500,"narration":"lunch","transactionRef":"${reference}","transactionDate":"2026-03-31 11:59:00","callbackUrl":"${receiver.origin}/"}`;
    expect((await say(simulator, `POST /partner/v1/collection HTTP/1.1\n${groupA}\n\n${body}`)).status).toBe(200);
  }
  await simulator.idle();
  const word = /"statusCode":"PAYMENT_(\w+)".*"transactionRef":"(\w+)"/s;
  const paid = simulator.world.wallet("2001").entries.length / 2;
  const heard = receiver.requests.map((request) => word.exec(request)?.slice(1).join(" ") ?? "");
  return { paid, heard: heard.toSorted((a, b) => (a.slice(-1) + a < b.slice(-1) + b ? -1 : 1)) };
}

test.for([
  ["drop-callback=collect:2", ["ACCEPTED A"]],
  ["double-callback=collect:1", ["ACCEPTED A", "ACCEPTED A", "ACCEPTED B"]],
  ["contradict-callback=collect:2", ["ACCEPTED A", "ACCEPTED B", "REJECTED B"]],
  ["delay-callback=1h,collect:1", ["ACCEPTED A", "ACCEPTED B"]],
  ["reorder-callback=1h", ["ACCEPTED A", "ACCEPTED B"]],
  ["drop-callback=remit", ["ACCEPTED A", "ACCEPTED B"]],
  ["say-callback=PAYMENT_REJECTED,collect:2", ["ACCEPTED A", "REJECTED B"]],
] as const)("%s: the money arrives all the same, and the callbacks are %s", async ([typed, heard]) => {
  expect(await callbacksWith([typed], ["A", "B"])).toEqual({ paid: 2, heard });
});

test("an early callback comes before the answer, and may contradict it", async () => {
  const order: string[] = [];
  const receiver = await startReceiver((body) => order.push(body));
  const faults = ["early-callback=collect", "say-answer=PAYMENT_ACCEPTED", "say-callback=PAYMENT_REJECTED"];
  const simulator = await small({ faults: readFaults(faults) });
  const body = `{"msisdn":"255712345678","channel":"TZ-TIGO-C2B","amount":1500,"narration":"lunch","transactionRef":"A","transactionDate":"2026-03-31 11:59:00","callbackUrl":"${receiver}"}`;
  order.push((await say(simulator, `POST /partner/v1/collection HTTP/1.1\n${groupA}\n\n${body}`)).body);
  expect(order).toEqual([
    expect.stringContaining('"statusCode":"PAYMENT_REJECTED"'),
    expect.stringContaining('"statusCode":"PAYMENT_ACCEPTED"'),
  ]);
});

test("say-callback sets both words of a remittance's callback", () => {
  const faults = readFaults(["say-callback=COMPLETED/PAYMENT_FAILED,remit"]);
  const record = '{"partnerReference":"A","status":"CREATED","statusCode":"PENDING_ACK"}';
  const post = { kind: "post", atMs: 1000, url: "http://127.0.0.1/", failures: 0, body: record } as const;
  expect(faults.later(post)).toMatchObject([
    { body: '{"partnerReference":"A","status":"COMPLETED","statusCode":"PAYMENT_FAILED"}' },
  ]);
});

test("reorder-callback delays every other callback", () => {
  const faults = readFaults(["reorder-callback=5s"]);
  const post = { kind: "post", atMs: 1000, url: "http://127.0.0.1/", failures: 0 } as const;
  const bodies = ["A", "B", "C"].map((reference) => JSON.stringify({ transactionRef: reference }));
  const times = bodies.flatMap((body) => faults.later({ ...post, body })).map(({ atMs }) => atMs);
  expect(times).toEqual([6000, 1000, 6000]);
});

test("reorder-callback also delays every other webhook", () => {
  const faults = readFaults(["reorder-callback=5s,webhook"]);
  const webhook = {
    kind: "post",
    atMs: 1000,
    url: "http://127.0.0.1/",
    failures: 0,
    body: '{"signature":""}',
  } as const;
  const times = [webhook, webhook, webhook].flatMap((one) => faults.later(one)).map(({ atMs }) => atMs);
  expect(times).toEqual([6000, 1000, 6000]);
});

test("callbacks are affected only at the first attempt, and webhooks only by their own name", () => {
  const faults = readFaults(["drop-callback=any"]);
  const post = { kind: "post", atMs: 1000, url: "http://127.0.0.1/" } as const;
  const again = { ...post, body: '{"transactionRef":"A"}', failures: 1 };
  const webhook = { ...post, body: '{"timestamp":"","signature":"","payload":""}', failures: 0 };
  expect([...faults.later(again), ...faults.later(webhook)]).toEqual([again, webhook]);
});

test.for([
  ["lose-anser", 'There is no fault "lose-anser". Did you mean --fault lose-answer?'],
  ["", 'There is no fault "". It is one of reset-request, '],
  ["lose-answer=transfers", '--fault lose-answer cannot hit "transfers". It hits one of money, any, remit, '],
  ["lose-answer=transfer:0", 'cannot hit "transfer:0".'],
  ["lose-answer=transfer,any", 'cannot hit "transfer".'],
  ["cut-answer", "--fault cut-answer needs a number of bytes. For example: --fault cut-answer=120"],
  ["cut-answer=transfer", "--fault cut-answer needs a number of bytes."],
  ["slow-body=12", '--fault slow-body "12" isn\'t a valid length of time.'],
  ["short-statement=x", "--fault short-statement needs a number of rows. For example: --fault short-statement=3"],
  ["say-answer", "--fault say-answer needs a word. For example: --fault say-answer=FAILED"],
  ["interim-answer=101", "--fault interim-answer needs one of 100, 102, 103. For example: --fault interim-answer=100"],
  ["look-alike=brother", "--fault look-alike needs one of twin, mention, "],
  ["reverse-row=REV", "--fault reverse-row needs one of same, named, negative, or a form."],
  ["reverse-row=same,2", '--fault reverse-row "2" isn\'t a valid length of time.'],
  ["reverse-row=same,2d,remit", '--fault reverse-row cannot hit "remit". It hits one of money, any, collect, transfer'],
  ["lose-row=webhook", 'cannot hit "webhook".'],
  ["empty-statement=transfer", 'cannot hit "transfer". It hits one of any, wallet-statement, account-statement; with'],
  ["lose-answer=webhook", 'cannot hit "webhook".'],
] as const)("--fault %s is refused", ([typed, said]) => {
  const mistake = (() => {
    try {
      return parseFault(typed, "--fault");
    } catch (error) {
      return error;
    }
  })();
  expect(mistake).toMatchObject({ ending: "usage" });
  expect(mistake instanceof Error && "hint" in mistake ? `${mistake.message} ${String(mistake.hint)}` : "").toContain(
    said,
  );
});

test("partner help faults lists every fault with its meaning", async () => {
  const help = (await run(["help", "faults"])).stdout.replaceAll(/\s+/g, " ");
  for (const text of ["cut-answer=BYTES", "reverse-row=HOW[,TIME]"]) expect(help).toContain(text);
  expect(faultKinds.filter(({ name, meaning }) => !help.includes(name) || !help.includes(meaning))).toEqual([]);
});
