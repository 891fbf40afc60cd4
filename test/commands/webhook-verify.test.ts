import { createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documented, documentedBody } from "../contract/webhook-bytes.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";

const folder = temporaryFolder();
const keyFile = inFile("key", `${documented.key}\n`);
const otherKey = inFile("other-key", "YW5vdGhlci1rZXktb2YtMTY=\n");
const bodyFile = inFile("body.json", documentedBody);
const signedAt = Date.UTC(2025, 8, 15, 9, 34, 56);

function inFile(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function verify(line: string, world: World = {}) {
  return run(["webhook", "verify", ...words(line)], { environment: { PARTNER_WEBHOOK_KEY: documented.key }, ...world });
}

/** The documented webhook, signed in another way. */
function bodySigned(over: string, key: string | Buffer = Buffer.from(documented.key, "base64")): string {
  return documentedBody.replace(documented.signature, createHmac("sha256", key).update(over).digest("base64"));
}

test("a valid webhook's payload is printed exactly as signed", async () => {
  const { exit, stdout, stderr } = await verify(bodyFile);
  expect([exit, stdout, stderr]).toEqual([0, `${documented.payload}\n`, ""]);
});

test("the body can come from stdin, and the key from a file", async () => {
  const world = { stdin: documentedBody, environment: {} };
  expect(await verify(`- --key-file ${keyFile}`, world)).toMatchObject({ exit: 0, stdout: `${documented.payload}\n` });
  expect(await verify(`--key-file ${keyFile}`, world)).toMatchObject({ exit: 0, stdout: `${documented.payload}\n` });
});

test("an old and a new key can be given together", async () => {
  const both = await verify(`${bodyFile} --key-file ${otherKey} --key-file ${keyFile}`);
  expect(both.exit).toBe(0);
  const environment = { PARTNER_WEBHOOK_KEY: `YW5vdGhlci1rZXktb2YtMTY= ${documented.key}` };
  expect((await verify(bodyFile, { environment })).exit).toBe(0);
});

test("JSON prints the payload as one object with exact digits; CSV has a column per member", async () => {
  const json = await verify(`${bodyFile} --json`);
  expect(json.stdout).toContain('    "amountCredit": 50000.00,\n');
  const csv = await verify(`${bodyFile} --csv --columns transaction.id,transaction.amountCredit,account.accountNo`);
  expect(csv.stdout).toBe(
    "transaction.id,transaction.amountCredit,account.accountNo\nunique-transaction-id,50000.00,1234567890\n",
  );
});

test("--columns with a member that the event lacks gives an empty column", async () => {
  const { exit, stdout } = await verify(`${bodyFile} --csv --columns transaction.id,transaction.fee`);
  expect([exit, stdout]).toEqual([0, "transaction.id,transaction.fee\nunique-transaction-id,\n"]);
});

test("an invalid webhook prints nothing and ends with 9 and a reason for scripts", async () => {
  const { exit, stdout, stderr } = await verify("- --json", { stdin: documentedBody.replace("50000.00", "90000.00") });
  expect([exit, stdout]).toEqual([9, ""]);
  expect(JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    error: { ending: "mismatch", reason: "bad signature", money: "none" },
  });
});

test.each([
  ["another key or a changed body", bodySigned("something else"), "The signature does not match"],
  ["base64url", documentedBody.replace("/", "_").replace("=", ""), "in another way than plain base64"],
  [
    "hex",
    documentedBody.replace(documented.signature, Buffer.from(documented.signature, "base64").toString("hex")),
    "written in hex",
  ],
  ["the key's text", bodySigned(documented.timestamp + documented.payload, documented.key), "with the text of the key"],
  ["the payload alone", bodySigned(documented.payload), "over the payload alone"],
  ["a separator", bodySigned(`${documented.timestamp}.${documented.payload}`), "with a full stop between"],
  ["a line break at the end", documentedBody.replace('null}"', 'null}\\n"'), "was rewritten"],
  ["zeros lost", documentedBody.replaceAll("000.00", "000"), "was rewritten"],
  ["spaces", documentedBody.replaceAll(',\\"', ', \\"').replaceAll('\\":', '\\": '), "was rewritten"],
])("a bad signature is explained: %s", async (_, stdin, why) => {
  const { exit, stdout, stderr } = await verify("-", { stdin });
  expect([exit, stdout]).toEqual([9, ""]);
  expect(stderr).toMatch(/^Error: stdin: bad signature\. /);
  expect(stderr).toContain(why);
});

test.each([
  ["nothing", "", "It is empty."],
  ["the payload alone", documented.payload, "It is the payload without its envelope."],
  ["a parsed payload", withParsedPayload(), "As the text that was sent it fits the signature."],
  ["a byte order mark", `\uFEFF${documentedBody}`, "It begins with a byte order mark."],
  ["a whole message", `POST /webhook HTTP/1.1\r\nHost: a\r\n\r\n${documentedBody}`, "It is a whole HTTP message."],
  ["JSON within JSON", JSON.stringify(documentedBody), "It is JSON text within JSON text."],
  ["a record of a request", JSON.stringify({ body: documentedBody }), "It is a record of a request."],
  ["a line of the listener", '{"id":"a","receivedAt":"b","payload":{}}', "It is a line that webhook listen printed."],
  ["no JSON", "hello", "It is not JSON."],
  [
    "a signed payload that is no object",
    signedPayload("[]"),
    "The signature is good, but the payload isn't a JSON object.",
  ],
])("a bad body is explained: %s", async (_, stdin, why) => {
  const { exit, stdout, stderr } = await verify("-", { stdin });
  expect([exit, stdout]).toEqual([9, ""]);
  expect(stderr).toContain(`Error: stdin: bad body. `);
  expect(stderr).toContain(why);
});

test("a signed document without a transaction is valid, with a note", async () => {
  const { exit, stdout, stderr } = await verify("-", { stdin: signedPayload('{"event":"ping"}') });
  expect([exit, stdout]).toEqual([0, '{"event":"ping"}\n']);
  expect(stderr).toContain("It has no transaction.id");
});

test("a body over 1 MiB is refused as a bad body", async () => {
  expect((await verify("-", { stdin: "x".repeat(1_048_577) })).stderr).toContain("bad body. It is larger than 1 MiB");
});

test("--tolerance refuses webhooks signed a millisecond too early", async () => {
  const inTime = await verify(`${bodyFile} --tolerance 5m`, { now: signedAt + 300_000 });
  expect(inTime.exit).toBe(0);
  const late = await verify(`${bodyFile} --tolerance 5m`, { now: signedAt + 300_001 });
  expect([late.exit, late.stdout]).toEqual([9, ""]);
  expect(late.stderr).toContain("too old. The signature is good, but it was signed 5m ago.");
});

test("an invalid key is reported as a bad key, a missing one ends with 3, and no key is printed", async () => {
  const bad = await verify(bodyFile, { environment: { PARTNER_WEBHOOK_KEY: "hunter2-hunter2" } });
  expect([bad.exit, bad.stdout]).toEqual([9, ""]);
  expect(bad.stderr).toContain("Error: bad key: PARTNER_WEBHOOK_KEY is not base64.");
  const short = await verify(`${bodyFile} --key-file ${inFile("short", "aHVudGVyMg==")}`);
  expect(short.exit).toBe(9);
  expect(short.stderr).toContain("Error: bad key: The webhook key is shorter than 16 bytes.");
  const none = await verify(bodyFile, { environment: {} });
  expect(none.exit).toBe(3);
  expect(none.stderr).toContain("PARTNER_WEBHOOK_KEY or --key-file FILE");
  const typed = await verify(`${bodyFile} --key-file ${documented.key}`);
  expect(typed.exit).toBe(3);
  expect(bad.stderr + short.stderr + typed.stderr).not.toMatch(/hunter2|aHVudGVyMg|cGFydG5lci10/);
});

test("an unreadable file and a missing file name end with 2", async () => {
  expect(await verify(join(folder, "none.json"))).toMatchObject({ exit: 2, stdout: "" });
  expect(await verify(folder)).toMatchObject({ exit: 2, stderr: expect.stringContaining("it is a folder") });
  expect(await verify("")).toMatchObject({ exit: 2, stderr: expect.stringContaining("nothing to verify") });
  const terminal = { stdin: true, stdout: true, stderr: true };
  expect(await verify("", { terminal, stdin: documentedBody })).toMatchObject({ exit: 2 });
});

test("each of several files gets a row, and the most severe result decides the exit code", async () => {
  const many = join(folder, "many");
  mkdirSync(many);
  const bad = inFile("many/bad.json", bodySigned("else"));
  const payload = inFile("many/payload.json", documented.payload);
  const missing = join(many, "missing.json");
  const all = await verify(`${bodyFile} ${bad} ${payload} ${missing} --csv --columns verdict,id,timestamp`);
  expect(all.exit).toBe(9);
  expect(all.stdout).toBe(
    `verdict,id,timestamp\nvalid,unique-transaction-id,${documented.timestamp}\nbad signature,,\nbad body,,\nnot read,,\n`,
  );
  expect(all.stderr).toContain("1 of 4 are valid. 1 cannot be read.");
  expect((await verify(`${bodyFile} ${missing}`)).exit).toBe(2);
  const good = await verify(`${bodyFile} - -o ndjson`, { stdin: documentedBody });
  expect([good.exit, good.stderr]).toEqual([0, "All 2 are valid.\n"]);
  const rows = good.stdout
    .trimEnd()
    .split("\n")
    .map((line): { file: string; payload: unknown } => JSON.parse(line));
  expect(rows.map(({ file }) => file)).toEqual([bodyFile, "stdin"]);
  expect(good.stdout).toContain('"amountCredit":50000.00');
});

test("control characters of a payload are escaped on a terminal and unchanged in a pipe", async () => {
  const stdin = signedPayload('{"transaction":{"id":"a\u202E\u009B31mb"}}');
  const terminal = { stdout: true, stderr: true };
  const shown = await verify("-", { stdin, terminal });
  expect(shown.stdout).toBe('{"transaction":{"id":"a\\u202e\\u009b31mb"}}\n');
  expect((await verify("-", { stdin })).stdout).toBe('{"transaction":{"id":"a\u202E\u009B31mb"}}\n');
});

/** A body as a JavaScript receiver leaves it after parsing and writing it again. */
function withParsedPayload(): string {
  const { payload, ...envelope } = JSON.parse(documentedBody);
  return JSON.stringify({ ...envelope, payload: JSON.parse(payload) });
}

function signedPayload(payload: string): string {
  const signature = createHmac("sha256", Buffer.from(documented.key, "base64"))
    .update(documented.timestamp + payload)
    .digest("base64");
  return JSON.stringify({ timestamp: documented.timestamp, signature, payload });
}
