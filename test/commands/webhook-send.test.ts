import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answer, recorder } from "../contract/recorder.ts";
import { documented, documentedBody } from "../contract/webhook-bytes.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import type { Received } from "../webhooks/receiver.ts";
import { receiver } from "../webhooks/receiver.ts";
import { program } from "../program.ts";

const folder = temporaryFolder();
/** 2025-09-15T12:34:56 in Dar es Salaam: when the documented webhook was signed. */
const now = Date.UTC(2025, 8, 15, 9, 34, 56);
const payloadFile = join(folder, "payload.json");
writeFileSync(payloadFile, documented.payload);

function send(url: string, line = "", world: World = {}) {
  const environment = { PARTNER_WEBHOOK_KEY: documented.key, ...world.environment };
  return run(["webhook", "send", url, ...words(line)], { now, ...world, environment });
}

async function receiving(statusOf: (index: number, request: Received) => number | undefined) {
  const one = await receiver(statusOf);
  onTestFinished(() => one.stop());
  return one;
}

interface Row {
  readonly id: string | null;
  readonly attempt: number;
  readonly at: string;
  readonly status: number | null;
  readonly outcome: string;
  readonly ms: number;
}

function rowsIn(stdout: string): Row[] {
  return JSON.parse(stdout);
}

/** The payload of a request signed according to the specification's four steps. */
function genuinePayload(body: string) {
  const { timestamp, signature, payload } = JSON.parse(body);
  const expected = createHmac("sha256", Buffer.from(documented.key, "base64"))
    .update(timestamp + payload)
    .digest("base64");
  return signature === expected ? JSON.parse(payload) : undefined;
}

test("a payload from a file is sent exactly as the documented webhook", async () => {
  const server = await recorder(answer("200 OK", '{"message":"ok","transactionId":"unique-transaction-id"}'));
  onTestFinished(() => server.stop());
  const { exit, stdout, stderr } = await send(`${server.origin}/hooks/a?tenant=1`, `--file ${payloadFile} --json`);
  expect([exit, stderr]).toEqual([0, "It was delivered.\n"]);
  expect(server.requests).toHaveLength(1);
  const [head = "", body] = server.requests[0]?.split("\r\n\r\n") ?? [];
  expect(body).toBe(documentedBody);
  expect(head).toMatch(/^POST \/hooks\/a\?tenant=1 HTTP\/1\.1\r\n/);
  expect(head).toMatch(/\r\ncontent-type: application\/json(\r\n|$)/);
  expect(head).toMatch(/\r\nx-request-id: [0-9a-f-]{36}(\r\n|$)/);
  expect(rowsIn(stdout)).toEqual([
    { id: "unique-transaction-id", attempt: 1, at: documented.timestamp, status: 200, outcome: "delivered", ms: 0 },
  ]);
});

test("a payload is sent unchanged, even if it is not an event", async () => {
  const hook = await receiving(() => 200);
  const text = '\uFEFF {"transaction": {"id" : "a"}}\r\n\n';
  expect((await send(hook.url, "--file - --csv", { stdin: text })).exit).toBe(0);
  expect(JSON.parse(hook.received[0]?.body ?? "").payload).toBe(text);
});

test("a generated event has the members of the specification's example in order, and its own ids", async () => {
  const hook = await receiving(() => 200);
  await send(hook.url, "--times 2");
  const [first, second] = hook.received.map(({ body }) => genuinePayload(body));
  const shape = (payload: object): unknown =>
    Object.entries(payload).map(([name, value]) => [
      name,
      typeof value === "object" && value ? shape(value) : typeof value,
    ]);
  expect(shape(first)).toEqual(shape(JSON.parse(documented.payload)));
  expect(first.transaction.id).not.toBe(second.transaction.id);
  expect(hook.received[0]?.body).toContain(String.raw`\"amountCredit\":50000.00,`);
});

test("--set changes members by name or path, and amounts keep their digits", async () => {
  const hook = await receiving(() => 200);
  const edits = [
    "amountCredit=5000.50",
    "reference=007",
    "account.accountName=A = B",
    'counterparty={"name":"C"}',
    "transactionId=null",
    "transaction.extra=1",
  ];
  const argv = ["webhook", "send", hook.url, ...edits.flatMap((edit) => ["--set", edit])];
  expect((await run(argv, { environment: { PARTNER_WEBHOOK_KEY: documented.key } })).exit).toBe(0);
  const { account, transaction, counterparty } = genuinePayload(hook.received[0]?.body ?? "");
  expect(hook.received[0]?.body).toContain(String.raw`\"amountCredit\":5000.50,`);
  expect([account.accountName, counterparty]).toEqual(["A = B", { name: "C" }]);
  expect(transaction).toMatchObject({ reference: "007", transactionId: null, extra: 1 });
});

test("all invalid --set values are reported at once, and nothing is sent", async () => {
  const hook = await receiving(() => 200);
  const { exit, stderr } = await send(hook.url, "--set amuntCredit=1 --set amountDebit=x --set event.name=a");
  expect(exit).toBe(2);
  expect(stderr).toContain('--set "amuntCredit" isn\'t a field of the payload.');
  expect(stderr).toContain("Did you mean amountCredit?");
  expect(stderr).toContain('--set transaction.amountDebit "x" isn\'t a number.');
  expect(stderr).toContain('goes through "event", which isn\'t an object.');
  expect((await send(hook.url, "--set =1")).exit).toBe(2);
  expect((await send(hook.url, "--set a=1 --file -", { stdin: "[]" })).stderr).toContain("isn't a JSON object");
  expect((await send(hook.url, "--columns nothing")).exit).toBe(2);
  expect(hook.received).toEqual([]);
});

test("a receiver that fails every other time gets each event eventually, with the same bytes", async () => {
  const hook = await receiving((index) => (index % 2 === 0 ? 503 : 200));
  const { exit, stdout, host } = await send(hook.url, "--times 5 --json");
  expect(exit).toBe(0);
  const rows = rowsIn(stdout);
  expect(rows.filter(({ outcome }) => outcome === "delivered")).toHaveLength(5);
  expect(rows.map(({ status }) => status)).toEqual(hook.received.map((_, index) => (index % 2 === 0 ? 503 : 200)));
  const bodies = Map.groupBy(hook.received, ({ body }) => genuinePayload(body).transaction.id);
  expect(bodies.size).toBe(5);
  for (const sent of bodies.values()) expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  expect(host.clock.sleeps[0]).toBe(2000);
});

test("it waits 2 s, 4 s, 8 s and so on, at most twenty times, and --speed divides the waits", async () => {
  const hook = await receiving(() => 500);
  const { exit, stdout, host } = await send(hook.url, "--json");
  expect(exit).toBe(8);
  expect(rowsIn(stdout)).toHaveLength(21);
  expect(rowsIn(stdout).at(-1)).toMatchObject({ attempt: 21, outcome: "failed", status: 500 });
  expect(host.clock.sleeps.slice(0, 4)).toEqual([2000, 4000, 8000, 16_000]);
  const quick = await send(hook.url, "--speed 60x --max-retries 3");
  expect(quick.host.clock.sleeps.map(Math.round)).toEqual([33, 67, 133]);
});

test.each([
  [200, 0, ["delivered"]],
  [204, 0, ["delivered"]],
  [301, 8, ["failed"]],
  [400, 8, ["failed"]],
  [404, 8, ["failed"]],
  [408, 8, ["retry", "failed"]],
  [429, 8, ["retry", "failed"]],
  [500, 8, ["retry", "failed"]],
  [599, 8, ["retry", "failed"]],
  [undefined, 8, ["retry", "failed"]],
])("a status of %s ends in %s after %s", async (status, exit, outcomes) => {
  const hook = await receiving(() => status);
  const sent = await send(hook.url, "--max-retries 1 --json");
  expect(sent.exit).toBe(exit);
  expect(rowsIn(sent.stdout).map(({ outcome }) => outcome)).toEqual(outcomes);
});

test("an unreachable receiver ends with 5 after the retries, with the reason", async () => {
  const gone = await receiver(() => 200);
  await gone.stop();
  const { exit, stdout, stderr } = await send(gone.url, "--max-retries 2 --json");
  expect(exit).toBe(5);
  expect(rowsIn(stdout).map(({ status, outcome }) => [status, outcome])).toEqual([
    [null, "retry"],
    [null, "retry"],
    [null, "failed"],
  ]);
  expect(stderr).toContain("ECONNREFUSED");
});

test("--bad-signature sends a wrong signature, and a receiver that refuses it ends with 8", async () => {
  const hook = await receiving((_, { body }) => (genuinePayload(body) === undefined ? 401 : 200));
  const { exit, stderr } = await send(hook.url, "--bad-signature", { environment: { PARTNER_WEBHOOK_KEY: "" } });
  expect(exit).toBe(8);
  expect(stderr).toContain("0 of 1 were delivered. The last attempt: HTTP 401.");
  expect(stderr).toContain("With --bad-signature, a receiver has to answer 401: --expect 401");
  expect(JSON.parse(hook.received[0]?.body ?? "").signature).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect((await send(hook.url)).exit).toBe(0);
});

test("--expect 401 ends with 0 if a bad signature is refused, and with 8 if it is accepted", async () => {
  const careful = await receiving((_, { body }) => (genuinePayload(body) === undefined ? 401 : 200));
  const refused = await send(careful.url, "--bad-signature --times 2 --expect 401 --json");
  expect([refused.exit, refused.stderr]).toEqual([0, "All 2 were answered with 401.\n"]);
  expect(rowsIn(refused.stdout).map(({ status, outcome }) => [status, outcome])).toEqual([
    [401, "failed"],
    [401, "failed"],
  ]);
  const careless = await receiving(() => 200);
  const taken = await send(careless.url, "--bad-signature --expect 401 --json");
  expect(taken.exit).toBe(8);
  expect(taken.stderr).toContain("0 of 1 were answered with 401. The last attempt: HTTP 200.");
  expect(rowsIn(taken.stdout)).toMatchObject([{ status: 200, outcome: "delivered" }]);
});

test("--expect ends at the expected status, and retries others by the service's rules", async () => {
  const busy = await receiving(() => 503);
  expect((await send(busy.url, "--expect 503")).exit).toBe(0);
  expect(busy.received).toHaveLength(1);
  const recovering = await receiving((index) => [500, 429][index] ?? 409);
  expect((await send(recovering.url, "--expect 409")).exit).toBe(0);
  expect(recovering.received).toHaveLength(3);
  const away = await receiver(() => 200);
  await away.stop();
  expect((await send(away.url, "--expect 200 --max-retries 0")).exit).toBe(5);
  for (const status of ["99", "600", "ok", ""]) expect((await send(away.url, `--expect "${status}"`)).exit).toBe(2);
});

test("--duplicate repeats the same webhook, and --reorder sends the last one first", async () => {
  const hook = await receiving(() => 200);
  await send(hook.url, "--times 3 --duplicate 2 --reorder");
  const sent = hook.received.map(({ body }) => genuinePayload(body).transaction);
  expect(sent.map(({ paymentReference }) => paymentReference)).toEqual(
    ["3", "3", "2", "2", "1", "1"].map((number) => `PAY-REF-${number}`),
  );
  expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
  const bodies = hook.received.map(({ body }) => body);
  expect([bodies[0], bodies[2], bodies[4]]).toEqual([bodies[1], bodies[3], bodies[5]]);
});

test("a failed delivery does not delay the next ones", async () => {
  const hook = await receiving((index) => (index === 0 ? 503 : 200));
  const { stdout } = await send(hook.url, "--times 3 --json");
  expect(rowsIn(stdout).map(({ attempt, outcome }) => `${attempt} ${outcome}`)).toEqual([
    "1 retry",
    "1 delivered",
    "1 delivered",
    "2 delivered",
  ]);
});

test("with ndjson a row is printed after each attempt, and Ctrl-C ends with 130", async () => {
  const hook = await receiving(() => 503);
  const env = { PATH: process.env["PATH"], HOME: folder, PARTNER_WEBHOOK_KEY: documented.key };
  const child = spawn(process.execPath, [program, "webhook", "send", hook.url, "-o", "ndjson"], { env });
  const [first] = await once(child.stdout.setEncoding("utf8"), "data");
  child.kill("SIGINT");
  const [exit] = await once(child, "close");
  expect(JSON.parse(String(first))).toMatchObject({ attempt: 1, status: 503, outcome: "retry" });
  expect(exit).toBe(130);
});

test("Ctrl-C while waiting prints what was sent so far", async () => {
  for (const format of ["json", "ndjson"]) {
    const hook = await receiving(() => 503);
    const stop = new AbortController();
    const world = {
      meanwhile: () => {
        setImmediate(() => stop.abort("SIGINT"));
        return new Promise<void>(() => undefined);
      },
      host: { signal: stop.signal },
    };
    const { exit, stdout, stderr } = await send(hook.url, `-o ${format}`, world);
    expect(exit).toBe(130);
    expect(stdout.match(/"outcome": ?"retry"/g)).toHaveLength(1);
    expect(stderr).toContain("0 of 1 were delivered.");
  }
});

test.each([
  ["ftp://a.example/", 'URL "ftp://a.example/" does not start with https:// or http://.'],
  ["https://user:hunter2@a.example/", 'URL "(not shown)" holds a user name or password: leave them out.'],
  ["https://a.example/#b", "holds a #"],
  ["https://", "isn't a valid address"],
  ["https://a b/", "isn't a valid address"],
])("%s is refused as an address", async (url, message) => {
  const { exit, stderr } = await send(url);
  expect(exit).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("hunter2");
});

test("--times 1 sends one webhook, as without it", async () => {
  const hook = await receiving(() => 200);
  expect((await send(hook.url, "--times 1")).exit).toBe(0);
  expect(hook.received).toHaveLength(1);
});

test("invalid numbers, files and keys are refused before sending", async () => {
  const hook = await receiving(() => 200);
  for (const flag of ["--speed 0", "--speed fast", "--times 0", "--duplicate 0", "--max-retries 21"]) {
    expect((await send(hook.url, flag)).exit).toBe(2);
  }
  expect((await send(hook.url, "", { environment: { PARTNER_WEBHOOK_KEY: "" } })).exit).toBe(3);
  expect((await send(hook.url, `--file ${join(folder, "none")}`)).exit).toBe(2);
  expect((await send(hook.url, "--file -", { stdin: new Uint8Array([0xff]) })).stderr).toContain("it is not UTF-8");
  expect(hook.received).toEqual([]);
});
