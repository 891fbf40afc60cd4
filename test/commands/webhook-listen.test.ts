import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { certificate, privateKey } from "../host/servers.ts";
import { floodKey, payloadOf, signed } from "../webhooks/flood.ts";
import { newMachine, post, send, timestamp } from "../webhooks/listening.ts";

const otherKey = "b3RoZXItdGVzdC1oYXNoLWtleS0wMTIzNDU2Nzg5MDE=";

/** An event as it is printed. */
function line(id: string): string {
  return `{"id":"${id}","receivedAt":"2026-03-31T12:00:00+03:00","late":false,"requestId":"req-${id}","timestamp":"${timestamp}","payload":${payloadOf(id)}}\n`;
}

function payload(id: string, event: string, account: string): string {
  return `{"event":"${event}","account":{"accountNo":"${account}"},"transaction":{"id":"${id}"}}`;
}

const isNew = "The inbox is new: it does not know what was received before. Events older than 1d 1h are quarantined.\n";

test("an old event never seen before is answered with 200, quarantined, and shown after its release", async () => {
  const machine = newMachine();
  const first = await machine.listen("--max-age 25h");
  const kept = '{"message":"kept for a person to look at","transactionId":null}';
  expect(await send(first.url, "old", "2026-03-30T10:59:59+03:00")).toEqual({ status: 200, text: kept });
  expect(await send(first.url, "edge", "2026-03-30T11:00:00+03:00")).toMatchObject({ status: 200 });
  expect(await send(first.url, "edge", "2026-03-01T11:00:00+03:00")).toEqual({
    status: 200,
    text: '{"message":"received already","transactionId":"edge"}',
  });
  const ended = await first.stop();
  expect(ended.stderr).toContain(isNew);
  expect(ended.stdout.split("\n").map((text) => /"id":"(\w+)"/.exec(text)?.[1])).toEqual(["edge", undefined]);
  expect(ended.stderr).toContain(
    "An event that was never seen is kept apart, as it was signed more than 1d 1h before it came: partner webhook inbox list --state quarantined",
  );
  const [listed] = JSON.parse((await machine.type("webhook inbox list --state quarantined --json")).stdout);
  expect(listed).toMatchObject({ id: "old", problem: "it was signed more than 1d 1h before it came" });
  expect((await machine.type("webhook inbox replay old")).exit).toBe(0);
  const second = await machine.listen("--count 1");
  const shown = await second.ended;
  expect(shown.stdout).toContain('"id":"old"');
  expect(shown.stderr).not.toContain("The inbox is new");
});

test("an event is answered, printed once with its exact digits and listed; --count ends the run with 0", async () => {
  const machine = newMachine();
  const readyFile = join(machine.folder, "ready");
  const { url, ended } = await machine.listen(`--count 2 --ready-file ${readyFile}`);
  expect(await send(url, "A")).toEqual({ status: 200, text: '{"message":"received","transactionId":"A"}' });
  expect(await send(url, "A")).toEqual({ status: 200, text: '{"message":"received already","transactionId":"A"}' });
  expect((await send(url, "B")).status).toBe(200);
  const { exit, stdout, stderr } = await ended;
  expect({ exit, stdout, stderr }).toEqual({
    exit: 0,
    stdout: line("A") + line("B"),
    stderr: `ready ${url}\n${isNew}`,
  });
  expect(readFileSync(readyFile, "utf8")).toBe(`ready ${url}\n`);
  const { stdout: listed } = await machine.type("webhook inbox list --output ndjson");
  const kept = (id: string) => line(id).replace(/\}\n$/, ',"state":"new","attempts":0,"problem":null}\n');
  expect(listed).toBe(kept("A") + kept("B"));
});

test("on a terminal each event is a line for people, and --json still prints JSON", async () => {
  const terminal = { stdout: true };
  const odd = payloadOf("B").replace('"counterparty":null', '"counterparty":{"name":"Asha\\u001b[31m"}');
  const shown = await newMachine().listen("--count 2", {}, { terminal });
  await send(shown.url, "A");
  expect((await post(shown.url, signed(odd, timestamp))).status).toBe(200);
  const money = "    +50,000.00 TZS";
  expect((await shown.ended).stdout).toBe(
    `12:00:00  1234…7890  ${money}  TXN-REF-123456\n12:00:00  1234…7890  ${money}  TXN-REF-123456    Asha\\u001b[31m\n`,
  );
  const asJson = await newMachine().listen("--count 1 --json", {}, { terminal });
  await send(asJson.url, "A");
  expect((await asJson.ended).stdout).toBe(line("A"));
});

test("an invalid request gets the matching status and is not printed", async () => {
  const machine = newMachine();
  const { url, stop } = await machine.listen();
  const status = async (path: string, method: string, body?: string) =>
    (await fetch(new URL(path, url), { method, ...(body === undefined ? {} : { body }) })).status;
  const good = signed(payloadOf("A"), timestamp);
  expect(await status("/webhook", "GET")).toBe(405);
  expect(await status("/webhook", "PUT", good)).toBe(405);
  expect(await status("/webhook//", "POST", good)).toBe(404);
  expect(await status("/", "POST", good)).toBe(404);
  expect(await status("/health", "GET")).toBe(200);
  expect(await status("/health", "POST", good)).toBe(404);
  expect(await status("/webhook", "POST", "")).toBe(400);
  expect(await status("/webhook", "POST", "[]")).toBe(400);
  expect(await status("/webhook", "POST", JSON.stringify({ timestamp, signature: "x", payload: {} }))).toBe(400);
  expect(await status("/webhook", "POST", " ".repeat(1024 * 1024 + 1))).toBe(413);
  expect(await status("/webhook", "POST", good.replace('"signature":"', '"signature":"A'))).toBe(401);
  expect(await status("/webhook", "POST", signed(payloadOf("A"), timestamp).replace("50000.00", "50000.01"))).toBe(401);
  expect(await status("/webhook?from=proxy", "POST", good)).toBe(200);
  expect(await status("/webhook/", "POST", good)).toBe(200);
  const { exit, stdout, stderr } = await stop();
  expect({ exit, lines: stdout.split("\n").length - 1 }).toEqual({ exit: 0, lines: 1 });
  expect(stderr).toContain("Is the webhook key the right one? partner webhook inbox list --state forged\n");
  const forged = await machine.type("webhook inbox list --state forged --output ndjson");
  expect(forged.stdout.trim().split("\n")).toHaveLength(2);
});

test("a signed but unreadable event is answered with 200 and quarantined", async () => {
  const machine = newMachine();
  const { url, stop } = await machine.listen();
  const unreadable = ["no json", "[]", '{"event":"transaction.created"}', '{"transaction":{"id":""}}'];
  for (const text of unreadable)
    expect(await post(url, signed(text, timestamp))).toEqual({
      status: 200,
      text: '{"message":"kept for a person to look at","transactionId":null}',
    });
  expect((await post(url, signed("no json", timestamp))).status).toBe(200);
  const { stdout, stderr } = await stop();
  expect(stdout).toBe("");
  expect(stderr).toContain("The service signed what cannot be read");
  const list = JSON.parse((await machine.type("webhook inbox list --state quarantined --json")).stdout);
  expect(list).toHaveLength(unreadable.length);
  expect(list[0]).toMatchObject({ id: expect.stringMatching(/^quarantined-/), state: "quarantined", payload: null });
  const { stdout: shown } = await machine.type(`webhook inbox show ${list[0].id} --json`);
  expect(JSON.parse(shown)).toMatchObject({ body: signed("no json", timestamp) });
});

test("an event signed more than five minutes ago is accepted as late", async () => {
  const { url, ended } = await newMachine().listen("--count 3");
  await send(url, "now", "2026-03-31T11:55:00+03:00");
  await send(url, "late", "2026-03-31T11:54:59+03:00");
  await send(url, "zulu", "2026-03-31T08:54:59Z");
  const { stdout } = await ended;
  expect(stdout.match(/"late":\w+/g)).toEqual(['"late":false', '"late":true', '"late":true']);
});

test("a payload with line breaks and invisible characters is printed as one visible line", async () => {
  const { url, ended } = await newMachine().listen("--count 2");
  const odd =
    '{\n  "transaction": {"id": "A\u202e\\u0007", "amount": 12345678901234567.10, "name": "Zuberi \u00e9\u001b"}}';
  // A bare control character is not valid JSON, so it is sent escaped.
  await post(url, signed(odd.replace("\u001b", String.raw`\u001b`), timestamp));
  await post(url, signed('{"transaction":{"id":"tab"},\t"amount":1.00}', timestamp));
  const { stdout } = await ended;
  expect(stdout.split("\n")).toHaveLength(3);
  expect(stdout).not.toMatch(/[^\x20-\x7e\n\u00e9]/);
  expect(stdout).toContain(String.raw`"A\u202e\u0007","amount":12345678901234567.10,"name":"Zuberi é\u001b"`);
  expect(stdout).toContain('"payload":{"transaction":{"id":"tab"},"amount":1.00}');
});

test("filters limit what is printed, but every event is stored", async () => {
  const machine = newMachine();
  const { url, stop } = await machine.listen("--account 111 --account 222 --event transaction.created");
  await post(url, signed(payload("A", "transaction.created", "111"), timestamp));
  await post(url, signed(payload("B", "transaction.created", "333"), timestamp));
  await post(url, signed(payload("C", "transaction.reversed", "111"), timestamp));
  await post(url, signed(payload("D", "transaction.created", "222"), timestamp));
  const { stdout } = await stop();
  expect(stdout.match(/"id":"\w"(?=,"rec)/g)).toEqual(['"id":"A"', '"id":"D"']);
  expect((await machine.type("webhook inbox list --output csv --columns id")).stdout).toBe("id\nA\nB\nC\nD\n");
  // Filtered events are not printed by the next receiver either.
  const next = await machine.listen("");
  await send(next.url, "E");
  expect((await next.stop()).stdout.match(/"id":"\w"(?=,"rec)/g)).toEqual(['"id":"E"']);
});

test("exactly --count lines are printed; further stored events are printed by the next receiver", async () => {
  const machine = newMachine();
  const { url, ended } = await machine.listen("--count 2");
  await Promise.all(["A", "B", "C", "D"].map((id) => send(url, id).catch(() => undefined)));
  const first = (await ended).stdout.split("\n").length - 1;
  const stored = (await machine.type("webhook inbox list --output ndjson")).stdout.split("\n").length - 1;
  const next = await machine.listen("");
  await send(next.url, "E");
  const rest = (await next.stop()).stdout.split("\n").length - 1;
  expect([first, rest]).toEqual([2, stored - 2 + 1]);
});

test("events are still stored and counted after stdout is closed, and printed by the next receiver", async () => {
  const machine = newMachine();
  const { url, host, ended } = await machine.listen("--count 3");
  await send(url, "A");
  host.stdout.close();
  await send(url, "B");
  await send(url, "C");
  const { exit, stderr } = await ended;
  expect(exit).toBe(0);
  expect(stderr).toContain("The reader of stdout is gone. Events are received and stored all the same");
  const next = await machine.listen("--count 2");
  expect((await next.ended).stdout.match(/"id":"\w"(?=,"rec)/g)).toEqual(['"id":"B"', '"id":"C"']);
});

test("both keys of a rotation are accepted, from the environment and from files", async () => {
  const machine = newMachine();
  const both = await machine.listen("", { PARTNER_WEBHOOK_KEY: `${otherKey} ${floodKey}` });
  expect((await send(both.url, "A")).status).toBe(200);
  await both.stop();
  const files = [otherKey, floodKey].map((key, index) => {
    const path = join(machine.folder, `key-${index}`);
    writeFileSync(path, `${key}\n`);
    return path;
  });
  const filed = await machine.listen(`--key-file ${files[0]} --key-file ${files[1]}`, { PARTNER_WEBHOOK_KEY: "" });
  expect((await send(filed.url, "B")).status).toBe(200);
  await filed.stop();
  const wrong = await machine.listen(`--key-file ${files[0]}`);
  expect((await send(wrong.url, "C")).status).toBe(401);
});

test("webhook listen uses the given TLS certificate", async () => {
  const machine = newMachine();
  const [cert, key] = [join(machine.folder, "cert.pem"), join(machine.folder, "key.pem")];
  writeFileSync(cert, certificate("localhost"));
  writeFileSync(key, privateKey());
  const { url, stop } = await machine.listen(`--tls-cert ${cert} --tls-key ${key}`);
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/webhook$/);
  const sent = await machine.type(`webhook send ${url} --ca-cert ${cert}`);
  expect(sent.exit).toBe(0);
  expect((await stop()).stdout).toContain('"event":"transaction.created"');
  writeFileSync(key, "no key");
  const { exit, stderr } = await machine.type(`webhook listen --tls-cert ${cert} --tls-key ${key}`);
  expect({ exit, stderr }).toEqual({
    exit: 2,
    stderr: expect.stringContaining("The certificate and its key cannot be used"),
  });
});

const refused: readonly (readonly [string, number, RegExp])[] = [
  ["--tls-cert a.pem", 2, /--tls-cert and --tls-key only go together/],
  ["--tls-cert a.pem --tls-key b.pem", 2, /The file of --tls-(cert|key) cannot be read/],
  ["--path webhook", 2, /isn't a valid path/],
  ["--path /health", 2, /answers health checks/],
  ["--listen 8080", 2, /--listen/],
  ["--listen 192.0.2.1:0", 2, /Cannot listen on 192\.0\.2\.1:0/],
  ["--forward-to ftp://example.com", 2, /does not start with https/],
  ["--forward-to http://user:word@example.com", 2, /holds a user name or password/],
  ["--exec '\"'", 2, /quote that is not closed/],
  ["--count 0", 2, /--count/],
  ["--save events.ndjson", 2, />> events\.ndjson/],
];

test.each(refused)("webhook listen %s is refused before it listens", async (line, exit, words) => {
  const ended = await newMachine().type(`webhook listen ${line}`);
  expect(ended).toEqual({ exit, stdout: "", stderr: expect.stringMatching(words) });
});

test("without a key webhook listen ends with 3, and with 5 if the port is in use", async () => {
  const machine = newMachine();
  expect((await machine.type("webhook listen", { PARTNER_WEBHOOK_KEY: "" })).exit).toBe(3);
  const { url } = await machine.listen();
  const ended = await machine.type(`webhook listen --listen 127.0.0.1:${new URL(url).port}`);
  expect(ended).toEqual({ exit: 5, stdout: "", stderr: expect.stringContaining("the port is in use") });
});

test("a damaged inbox ends webhook listen with 3 and is left as it was", async () => {
  const machine = newMachine();
  const state = join(machine.folder, "elsewhere");
  const { url, stop } = await machine.listen("", { PARTNER_STATE_DIR: state });
  await send(url, "A");
  await stop();
  const path = join(state, "inbox.db");
  const damaged = readFileSync(path).fill(1, 0, 100);
  writeFileSync(path, damaged);
  const ended = await machine.type("webhook listen", { PARTNER_STATE_DIR: state });
  expect(ended).toEqual({ exit: 3, stdout: "", stderr: expect.stringContaining("is damaged") });
  expect(readFileSync(path).equals(damaged)).toBe(true);
});

test("an empty TLS file is refused before listening", async () => {
  const machine = newMachine();
  const [pem, empty] = [join(machine.folder, "pem"), join(machine.folder, "empty")];
  writeFileSync(pem, certificate("localhost"));
  writeFileSync(empty, "");
  const { exit, stderr } = await machine.type(`webhook listen --for 1s --tls-cert ${pem} --tls-key ${empty}`);
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining("The file of --tls-key is empty.") });
});

test("a password in the --forward-to address is refused and not printed", async () => {
  const { exit, stderr } = await newMachine().type("webhook listen --forward-to http://user:hunter2@127.0.0.1/");
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining("holds a user name or password") });
  expect(stderr).not.toContain("hunter2");
});
