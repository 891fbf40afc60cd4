import type { WebhookKey } from "../../contract/webhooks/key.ts";
import type { Host } from "../../host/host.ts";
import type { ListenOptions } from "../../host/server/listener.ts";
import { receive } from "../../host/server/server.ts";
import { systemReason } from "../../host/system-error.ts";
import { explainStdout } from "../../report/write-failures.ts";
import type { ListenAddress } from "../../values/addresses/listen-address.ts";
import type { LineOf } from "./event-line.ts";
import { eventLine } from "./event-line.ts";
import type { EventFilter } from "./event-filter.ts";
import { isWanted } from "./event-filter.ts";
import type { MetricFamily } from "../../values/text/open-metrics.ts";
import { openMetricsText } from "../../values/text/open-metrics.ts";
import { EventCounts } from "./event-counts.ts";
import { EventPrinter } from "./event-printer.ts";
import { Forwarder } from "./forwarder.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { RateLimitedLog } from "./rate-limited-log.ts";
import { receiving } from "./handler.ts";
import type { EventDestination } from "./destination.ts";
import { Upkeep } from "./upkeep.ts";

/** The most bytes of all bodies being received, from all senders together. */
const bodiesMaxBytes = 64 * 1024 * 1024;
/** How long running requests may take at the end; a sender that is cut off tries again. */
const requestGraceMs = 2_000;
/** How long running deliveries and a slow reader may take at the end. */
const endingGraceMs = 10_000;

/** How to receive webhooks. */
export interface ListenPlan {
  readonly address: ListenAddress;
  readonly path: string;
  readonly tls: ListenOptions["tls"];
  readonly keys: readonly WebhookKey[];
  /** The largest age of a new event by its signature, in milliseconds. */
  readonly maxAgeMs: number;
  readonly filter: EventFilter;
  /** The receiver of events, if any. */
  readonly recipient: EventDestination | undefined;
  /** It ends after `count` events, after `forMs`, or at a signal. */
  readonly count: number | undefined;
  readonly forMs: number | undefined;
  /** Renders an event; default: as JSON. */
  readonly lineOf?: LineOf | undefined;
  readonly say: (line: string) => void;
  /** The metrics besides the outcomes of webhooks. */
  readonly metrics: () => Promise<readonly MetricFamily[]>;
  /** Called with its URL when it can be reached. */
  readonly onReady: (url: string) => Promise<void>;
}

type ListenHost = Pick<Host, "listen" | "clock" | "machine" | "stdout" | "signal">;

/**
 * Receives webhooks until it ends. Each is verified, stored, and only then answered, shown and delivered.
 * @throws {Failure} unavailable (the port is in use) | usage (an address that is not this machine's, a full disk for
 * stdout) | setup (the inbox)
 */
export async function listenForWebhooks(host: ListenHost, inbox: Inbox, plan: ListenPlan): Promise<void> {
  const { clock, machine, stdout } = host;
  const { filter, recipient, say, lineOf = eventLine } = plan;
  const notes = new RateLimitedLog(clock, say);
  const enough = new AbortController();
  let isStopping = false;
  let lost: { readonly error: unknown } | undefined;
  const watch = await inbox.watch(machine.processMark(), (mark) => machine.processFate(mark));
  const printer = new EventPrinter({
    stdout,
    watch,
    filter,
    lineOf,
    maxLines: plan.count ?? Infinity,
    onLast: () => enough.abort(),
    onLost(error) {
      if (error !== undefined) lost = { error };
      const why = systemReason(error, "write");
      const what = why === undefined ? "The reader of stdout is gone" : `stdout cannot be written: ${why}`;
      say(`${what}. Events are received and stored all the same: partner webhook inbox list`);
    },
  });
  const forwarder = recipient === undefined ? undefined : new Forwarder({ clock, inbox, watch, recipient, notes });
  const counts = new EventCounts();
  const answer = receiving({
    counts,
    metrics: async () => openMetricsText([...counts.families(), ...(await plan.metrics())]),
    path: plan.path,
    keys: plan.keys,
    maxAgeMs: plan.maxAgeMs,
    clock,
    inbox,
    notes,
    isStopping: () => isStopping,
    dueAt: (webhook, now) => (recipient !== undefined && isWanted(webhook, filter) ? now : null),
    onStored(event, number, webhook) {
      printer.offer(number, isWanted(webhook, filter) ? lineOf(event, webhook.payloadText) : undefined);
      forwarder?.wake();
    },
    onUnsure: () => printer.lookAgain(),
  });
  const hint = "Take a free port: --listen 127.0.0.1:0";
  const { address, tls } = plan;
  const listening = await receive(host, { address, tls, bodiesMaxBytes, hint, money: "none" }, answer);
  const upkeep = new Upkeep({ clock, inbox, watch, printer, say, maxAgeMs: plan.maxAgeMs });
  try {
    printer.wake();
    forwarder?.start();
    await plan.onReady(`${listening.origin}${plan.path}`);
    await untilEnd(host, plan, enough.signal);
  } finally {
    isStopping = true;
    const stopped = upkeep.stop();
    await finish();
    await stopped;
  }
  if (lost !== undefined) throw explainStdout(lost.error);

  /** Ends running requests, lines and deliveries, each within its time. */
  async function finish(): Promise<void> {
    const grace = new AbortController();
    const timer = clock.sleep(endingGraceMs, grace.signal).then(
      () => grace.abort(),
      () => undefined,
    );
    await listening.close(requestGraceMs);
    await Promise.race([printer.idle(), timer]);
    await forwarder?.finish(grace.signal);
    grace.abort();
  }
}

/** Waits until there were enough events, the time is over, or a signal comes. */
async function untilEnd({ clock, signal }: ListenHost, { forMs }: ListenPlan, enough: AbortSignal): Promise<void> {
  const end = AbortSignal.any([signal, enough]);
  if (forMs !== undefined) return clock.sleep(forMs, end).catch(() => undefined);
  if (end.aborted) return undefined;
  return new Promise<void>((resolve) => {
    end.addEventListener("abort", () => resolve(), { once: true });
  });
}
