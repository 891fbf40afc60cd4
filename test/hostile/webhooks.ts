import { verifyWebhook } from "../../src/contract/webhooks/webhook.ts";
import { readWebhookKeys } from "../../src/contract/webhooks/key.ts";
import { lastSegment } from "../../src/movements/callback-secret.ts";
import { listenForCallbacks, secretAddress } from "../../src/movements/waiting/callbacks.ts";
import { receiving } from "../../src/webhooks/listen/handler.ts";
import type { HandlerTools } from "../../src/webhooks/listen/handler.ts";
import { RateLimitedLog } from "../../src/webhooks/listen/rate-limited-log.ts";
import { memoryHost } from "../memory-host.ts";
import { run } from "../partner.ts";
import { webhookKey } from "../profiles/fixture.ts";
import type { Places, Reader } from "./reader.ts";
import { file, nothing, settled, typed } from "./reader.ts";

/** The end of every callback's address here. */
const secret = Buffer.from(memoryHost().ids.bytes(32)).toString("base64url");
const timestamp = "2026-02-01T08:00:00+03:00";
const bodies: Places = {
  "a body": (run) => run,
  "a payload": (run) => JSON.stringify({ timestamp, signature: "x", payload: run }),
  "a payload of JSON": (run) => JSON.stringify({ timestamp, signature: "x", payload: JSON.stringify({ a: run }) }),
  "a parsed payload": (run) => JSON.stringify({ timestamp: "x", signature: "x", payload: { a: run } }),
  "a timestamp": (run) => JSON.stringify({ timestamp: run, signature: "x", payload: "{}" }),
  "a signature": (run) => JSON.stringify({ timestamp, signature: run, payload: "{}" }),
};

/** Webhooks and callbacks, and the files and flags from which webhooks are made. */
export const webhookReaders: readonly Reader[] = [
  ...Object.entries(bodies).flatMap(([place, text]): Reader[] => [
    {
      name: `webhook verify: ${place}`,
      takes: "files",
      read: (hostile) =>
        run(["webhook", "verify", "-"], { stdin: text(hostile), environment: { PARTNER_WEBHOOK_KEY: webhookKey } }),
    },
    {
      name: `a receiver: ${place}`,
      takes: "files",
      read: (hostile) => settled(() => received({ body: text(hostile), target: "/webhook", requestId: "r" })),
    },
    {
      name: `a webhook: ${place}`,
      takes: "files",
      read: (hostile) => settled(() => verifyWebhook(Buffer.from(text(hostile)), readWebhookKeys(webhookKey))),
    },
  ]),
  {
    name: "a receiver: its target and a header",
    takes: "words",
    read: (hostile) => settled(() => received({ body: "{}", target: `/webhook?${hostile}`, requestId: hostile })),
  },
  { name: "a callback", takes: "words", read: (hostile) => settled(() => called(`/${secret}`, hostile)) },
  { name: "a callback: its target", takes: "words", read: (hostile) => settled(() => called(`/${hostile}`, "{}")) },
  { name: "a callback: its last segment", takes: "words", read: (run) => [lastSegment(run), lastSegment(`/a?${run}`)] },
  {
    name: "a callback: its public address",
    takes: "words",
    read: (run) => settled(() => secretAddress(`https://a.example/${run}`, "s")),
  },
  typed("webhook send --file", (run) => ["webhook", "send", "http://127.0.0.1:1/", "--file", file("payload", run)]),
  typed("webhook send --set", (run) => ["webhook", "send", "http://127.0.0.1:1/", "--set", `a=${run}`], "words"),
  typed("webhook send --set, its path", (run) => ["webhook", "send", "http://127.0.0.1:1/", "--set", run], "words"),
];

async function received(request: { body: string; target: string; requestId: string }): Promise<void> {
  const { clock } = memoryHost();
  const tools: HandlerTools = {
    path: "/webhook",
    keys: readWebhookKeys(webhookKey),
    clock,
    inbox: {
      store: () => Promise.resolve(1),
      quarantine: () => Promise.resolve(1),
      keepForged: () => Promise.resolve(),
    },
    notes: new RateLimitedLog(clock, nothing),
    isStopping: () => false,
    dueAt: () => null,
    onStored: nothing,
    maxAgeMs: Infinity,
    counts: { add: () => undefined },
    metrics: async () => "",
    onUnsure: nothing,
  };
  const { body, target, requestId } = request;
  const headers = { "x-request-id": requestId };
  await receiving(tools)({ method: "POST", target, headers, body: () => Promise.resolve(Buffer.from(body)) });
}

async function called(target: string, text: string): Promise<void> {
  const { ids, ...host } = memoryHost();
  const body = () => Promise.resolve(Buffer.from(text));
  const listen: typeof host.listen = async (_options, answer) => {
    await answer({ method: "POST", target, headers: {}, body });
    return { host: "", port: 1, origin: "", close: () => Promise.resolve() };
  };
  const server = await listenForCallbacks({ listen, ids }, { host: "127.0.0.1", port: 0 }, () => false);
  await server.close();
}
