import { command } from "../../app/command.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { positional } from "../../cli/line/input.ts";
import { checkColumns } from "../../cli/result-options.ts";
import type { Session } from "../../app/session.ts";
import { readPayload } from "../../app/webhooks/files.ts";
import { webhookKeys } from "../../app/webhooks/keys.ts";
import { sendingFlags } from "../../app/webhooks/sending-flags.ts";
import { readWebhookUrl } from "../../app/webhooks/url.ts";
import type { WebhookKey } from "../../contract/webhooks/key.ts";
import { readWebhookKey } from "../../contract/webhooks/key.ts";
import { canStream, streamRows } from "../../report/stream.ts";
import { formatDuration } from "../../values/time/duration.ts";
import { Failure } from "../../values/failure.ts";
import { retriesMax } from "../../webhooks/send/delivery.ts";
import { payloadSource, sign } from "../../webhooks/send/outgoing.ts";
import { answerOf, attemptFields, sendingReport } from "../../webhooks/send/sending-report.ts";
import type { Sender } from "../../webhooks/send/sending.ts";
import { send } from "../../webhooks/send/sending.ts";

const strangerKeyBytes = 32;
/** How many attempts are in a batch where all are collected first. */
const gatheredRows = 500;

type Flags = FlagValues<typeof sendingFlags>;

export default command({
  summary: "Send signed webhooks to a receiver, as the service would.",
  description:
    "It signs transaction.created, made up or from a file, with the key of the profile, of PARTNER_WEBHOOK_KEY or of --key-file. It delivers by the service's rules: 5xx, 408, 429, network errors and silence for 30 seconds are tried again. The pauses are 2 s, 4 s, 8 s and so on; other answers are final. Each attempt is a row; with ndjson and csv it is printed at once.",
  examples: [
    "webhook send http://127.0.0.1:8080/webhook",
    "webhook send https://shop.example/webhook --set amountCredit=5000 --set reference=INV-7",
    "webhook send http://127.0.0.1:8080/webhook --times 100 --duplicate 2 --reorder --speed 60x --output ndjson",
    "webhook send http://127.0.0.1:8080/webhook --bad-signature --expect 401",
  ],
  args: { url: positional({ summary: "The receiver's address.", read: readWebhookUrl }) },
  flags: sendingFlags,
  exits: ["setup", "incomplete"],
  async run({ args: { url }, flags }, session) {
    checkColumns(session.result, attemptFields);
    const { times = 1, duplicate: copies = 1, reorder, maxRetries = retriesMax, speed = 1, expect: expected } = flags;
    if (reorder && times === 1) await session.note("There is one webhook: --reorder changes nothing without --times.");
    const payloads = await readPayloads(flags, session);
    const key = await signingKey(flags, session);
    const webhooks = sign(payloads, { times, copies, isReversed: reorder }, { key, clock: session.host.clock });
    const attempts = send(webhooks, { url, retries: maxRetries, speed, expected }, await sender(session));
    const isLive = canStream(session.result);
    const { signal } = session.host;
    const batchRows = isLive ? 1 : gatheredRows;
    const facts = { count: times * copies, batchRows, signal, isForged: flags.badSignature, expected };
    const report = sendingReport(attempts, facts);
    if (!isLive) return report;
    await streamRows(report, session.result, session.host);
    return undefined;
  },
});

async function readPayloads({ file, set = [] }: Flags, session: Session) {
  const text = file === undefined ? undefined : await readPayload(file, session);
  return payloadSource(text, set, { ids: session.host.ids, nowMs: session.host.clock.now() });
}

/** The first of two keys: it can't be known here which of them the receiver has already. */
async function signingKey({ keyFile, badSignature }: Flags, session: Session): Promise<WebhookKey> {
  if (badSignature) return readWebhookKey(Buffer.from(session.host.ids.bytes(strangerKeyBytes)).toString("base64"));
  const [key] = await webhookKeys(session, keyFile);
  if (key === undefined) throw new Failure("bug", "There is no key among the webhook keys.");
  return key;
}

async function sender(session: Session): Promise<Sender> {
  const { host, timeoutMs } = session;
  const { ids, signal, clock } = host;
  const courier = { post: await session.openPost(), ids, signal, timeoutMs, freshConnections: true };
  return {
    courier,
    clock,
    onWait: (waitMs, waiting, last) => {
      const many = waiting === 1 ? "1 delivery is" : `${waiting} deliveries are`;
      void session.note(`${answerOf(last)}: ${many} tried again, the next in ${formatDuration(Math.ceil(waitMs))}.`);
    },
  };
}
