import { refuseProtected } from "../../app/protected-folders.ts";
import { command } from "../../app/command.ts";
import type { Session } from "../../app/session.ts";
import { forwardingTo } from "../../app/webhooks/forwarding.ts";
import { withInbox } from "../../app/webhooks/inbox.ts";
import { metricsOf } from "../../app/metrics/metrics.ts";
import { webhookKeys } from "../../app/webhooks/keys.ts";
import type { WebhookListenFlags } from "../../app/webhooks/listen-flags.ts";
import { defaultMaxAgeMs, readTls, webhookListenFlags } from "../../app/webhooks/listen-flags.ts";
import { saveText } from "../../report/save.ts";
import { Failure } from "../../values/failure.ts";
import { anyLoopbackPort } from "../../values/addresses/listen-address.ts";
import type { EventDestination } from "../../webhooks/listen/destination.ts";

export default command({
  summary: "Receive webhooks: verify, store, and show each event once.",
  description:
    "Each event is on the disk (inbox.db in the state folder) before it is answered. It is then printed: on a terminal as a line for people, otherwise or with --json as a line of JSON. A repeated event is answered and dropped. If the process was killed, the next receiver prints or delivers the rest. If the reader of stdout is gone, events are received and stored all the same. It says on stderr when it is ready and runs until Ctrl-C or TERM, which end it with 0. GET /health answers 200, and GET /metrics returns figures as OpenMetrics text.",
  examples: [
    "webhook listen",
    "webhook listen --listen 0.0.0.0:8443 --tls-cert chain.pem --tls-key key.pem --path /partner",
    "webhook listen --forward-to http://127.0.0.1:3000/webhooks",
    'webhook listen --exec "./book-payment.sh" --account 0150387654321',
    "webhook listen --count 1 --for 10m",
  ],
  args: {},
  flags: webhookListenFlags,
  exits: ["setup"],
  async run({ flags }, session) {
    if (session.result.save !== undefined) throw noSave();
    const { host } = session;
    if (flags.readyFile !== undefined) await refuseProtected(flags.readyFile, "--ready-file", host);
    const keys = await webhookKeys(session, flags.keyFile);
    const tls = await readTls(flags, session);
    const recipient = await recipientOf(flags, session);
    // A person watches a terminal; everything else reads JSON.
    const isWatched = session.format === "table" && host.stdout.isTerminal;
    const lineOf = isWatched ? (await import("../../webhooks/listen/person-line.ts")).personLine : undefined;
    const { listenForWebhooks } = await import("../../webhooks/listen/listen.ts");
    const metrics = metricsOf(session);
    await withInbox(session, "write", (inbox) =>
      listenForWebhooks(host, inbox, {
        address: flags.listen ?? anyLoopbackPort,
        path: flags.path ?? "/webhook",
        tls,
        keys,
        maxAgeMs: flags.maxAge ?? defaultMaxAgeMs,
        filter: { events: flags.event, accounts: flags.account },
        recipient,
        count: flags.count,
        forMs: flags.for,
        lineOf,
        metrics,
        say: (line) => void session.note(line),
        onReady: (url) => sayReady(url, flags, session),
      }),
    );
    return undefined;
  },
});

/** Even with --quiet: the process that starts a receiver needs its address. */
async function sayReady(url: string, { readyFile }: WebhookListenFlags, session: Session): Promise<void> {
  const line = `ready ${url}\n`;
  if (readyFile !== undefined) await saveText(readyFile, line, session.host.files, "--ready-file");
  await session.host.stderr.write(line);
}

async function recipientOf(
  { forwardTo, exec }: WebhookListenFlags,
  session: Session,
): Promise<EventDestination | undefined> {
  if (forwardTo === undefined && exec === undefined) return undefined;
  const { host } = session;
  const { bothDestinations, programDestination } = await import("../../webhooks/listen/destination.ts");
  const program = exec === undefined ? undefined : programDestination(exec, host);
  if (forwardTo === undefined) return program;
  const address = await forwardingTo(forwardTo, session);
  return program === undefined ? address : bothDestinations(address, program);
}

function noSave(): Failure {
  return new Failure("usage", "--save writes a complete result, but events have no end.", {
    hint: "Send them into a file: partner webhook listen >> events.ndjson",
  });
}
