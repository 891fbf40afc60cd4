import type { ReadCallback } from "../../contract/callback.ts";
import type { Host } from "../../host/host.ts";
import type { Listening } from "../../host/server/listener.ts";
import type { Journal, Settlement } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { isFinal, isInFlight } from "../../journal/movement.ts";
import { requestOf, requestText } from "../../journal/requests/movement-request.ts";
import { formatDuration } from "../../values/time/duration.ts";
import type { Failure } from "../../values/failure.ts";
import type { ListenAddress } from "../../values/addresses/listen-address.ts";
import { CallbackDecision, mayStillBeDecided } from "./callback-decision.ts";
import { listenForCallbacks, secretAddress } from "./callbacks.ts";
import { StatusAsking } from "./status-asking.ts";
import { CallbackCollector } from "./callback-collector.ts";
import { FormerAttempts } from "./former-attempts.ts";
import type { StatusSource } from "../resolve/order-status.ts";
import { callbackSecretOf } from "../callback-secret.ts";
import { movementFailure } from "../movement-report.ts";
import type { MoneyOrder } from "../order.ts";
import type { MoneyTools } from "../perform.ts";
import type { Performed } from "../performed.ts";
import { perform } from "../perform.ts";
import type { StatementLook } from "./statement-wait.ts";
import { confirmByStatement } from "./statement-wait.ts";
import type { Tunnel } from "./tunnel.ts";
import { openTunnel } from "./tunnel.ts";
import { waitFailure } from "./wait-failure.ts";

/** How to wait for the final outcome of an order. */
export interface WaitPlan {
  readonly host: Pick<Host, "clock" | "ids" | "signal" | "listen" | "run">;
  readonly forMs: number;
  /** Undefined where no callback can arrive here: the order keeps its address, and its status is polled. */
  readonly listen: ListenAddress | undefined;
  /** Set where the account has status requests; polled until the outcome is final. */
  readonly status: StatusSource | undefined;
  /** The public address of `listen`; undefined where the service is on this machine. */
  readonly address: string | undefined;
  /** The command of a program that makes such an address. */
  readonly tunnel: readonly string[] | undefined;
  readonly readCallback: ReadCallback;
  /** Reads the statements; undefined where a callback is enough. */
  readonly look: StatementLook | undefined;
  /** Reports progress to a person. */
  readonly say: (line: string) => Promise<void>;
  /** Masks a text in all output. */
  readonly hide: (secret: string) => void;
}

/** The outcome of an order, and of waiting for it. */
export interface Waited extends Performed {
  /** Anomalies, one sentence each. */
  readonly notes: readonly string[];
  /** The failure that ends the run; undefined after success. */
  readonly ending: Failure | undefined;
}

/** Polling interval for the journal, where another process may have recorded the outcome. */
const tickMs = 1_000;
/** How long to wait for a callback that contradicts a final answer: the service may have sent it at the same time. */
const contradictionGraceMs = 2_000;
/** Interval of the lines that say how much time is left. */
const sayEveryMs = 15_000;

/**
 * Sends an order and waits for its final outcome. The server for callbacks is up before the request is sent, so no
 * callback is missed; each is on disk before it is reported.
 * @throws {Failure} as `perform` does | unavailable (port taken, no tunnel) | usage; nothing was sent then
 */
export async function performAndWait(order: MoneyOrder, tools: MoneyTools, plan: WaitPlan): Promise<Waited> {
  const say = (line: string) => void plan.say(line);
  const collector = new CallbackCollector(order, plan.readCallback, say);
  const former = new FormerAttempts(order, tools.journal, plan.readCallback, say);
  const { listen } = plan;
  const collectingTools = { ...tools, weigh: (settlement: Settlement) => collector.weigh(settlement) };
  if (listen === undefined) {
    const performed = await perform(order, collectingTools);
    const parts = { collector, former, close: () => Promise.resolve(), journal: tools.journal, plan };
    return { ...(await settle(performed, parts)), sentNow: performed.sentNow };
  }
  const server = await listenForCallbacks(plan.host, listen, (body) => collector.take(body));
  let tunnel: Tunnel | undefined;
  const close = async () => {
    await tunnel?.close();
    await server.close();
  };
  try {
    plan.hide(server.secret);
    tunnel = plan.tunnel && (await openTunnel(plan.host, plan.tunnel, server.listening.port));
    const base = tunnel?.url ?? plan.address ?? ownAddress(server.listening);
    await plan.say(`ready ${server.listening.origin}`);
    const known = await tools.journal.find({ scope: tools.scope, kind: order.kind, reference: order.reference });
    if (known !== undefined) await former.admit(known, server);
    const performed = await perform(withCallbackUrl(order, secretAddress(base, server.secret)), collectingTools);
    const { movement, sentNow } = performed;
    const earlier = sentNow ? undefined : callbackSecretOf(movement);
    if (earlier !== undefined) {
      server.admit(earlier, (body) => collector.take(body));
      const given = otherOrigin(movement, base);
      if (given !== undefined && mayStillBeDecided(movement))
        await plan.say(goesElsewhere(movement, given, new URL(base).origin));
    }
    collector.answered(movement.transactionId ?? undefined);
    return { ...(await settle(performed, { collector, former, close, journal: tools.journal, plan })), sentNow };
  } finally {
    await close();
  }
}

interface WaitParts {
  readonly collector: CallbackCollector;
  /** The callbacks of attempts before this one. */
  readonly former: FormerAttempts;
  /** Stops accepting callbacks. */
  readonly close: () => Promise<void>;
  readonly journal: Journal;
  readonly plan: WaitPlan;
}

async function settle(
  { movement: performed, sentNow }: Performed,
  { collector, former, close, journal, plan }: WaitParts,
): Promise<Omit<Waited, "sentNow">> {
  const { clock, signal } = plan.host;
  const endsAt = clock.elapsed() + plan.forMs;
  const decision = new CallbackDecision(performed, journal);
  if (sentNow && plan.listen !== undefined) await untilUncontradicted(performed, collector, plan);
  const asking = new StatusAsking(performed, journal, plan.status);
  await untilDecided(performed, { collector, former, journal }, { ...plan, asking }, endsAt);
  await decision.record(collector.finals);
  await former.record();
  let movement = await standing(performed, journal);
  const notes: string[] = [];
  if (plan.look !== undefined && isWorthALook(movement) && !signal.aborted) {
    const limits = { clock, signal, say: plan.say, endsAt };
    notes.push(...(await confirmByStatement(movement, plan.look, journal, limits)));
  }
  // A callback that came meanwhile was answered, so it counts.
  await close();
  await decision.record(collector.finals);
  await former.record();
  movement = await standing(performed, journal);
  const wait = {
    signal,
    forMs: plan.forMs,
    wantsStatement: plan.look !== undefined,
    listens: plan.listen !== undefined,
  };
  return {
    movement,
    notes: [...decision.notes, ...former.notes, ...asking.notes, ...notes],
    ending: decision.ending ?? former.ending ?? waitFailure(movement, wait) ?? movementFailure(movement, decision.word),
  };
}

function isWorthALook({ state }: Movement): boolean {
  return state === "accepted" || state === "pending" || state === "unknown";
}

/** Waits for a callback that may contradict the answer, where the answer settled the order. */
async function untilUncontradicted(
  { state }: Movement,
  { decided }: CallbackCollector,
  { host: { clock, signal }, forMs }: WaitPlan,
): Promise<void> {
  if (!isFinal(state) || state === "unsent" || decided.aborted || signal.aborted) return;
  const graceMs = Math.min(contradictionGraceMs, forMs);
  await clock.sleep(graceMs, AbortSignal.any([signal, decided])).catch(() => undefined);
}

/** Returns when a callback or another process has decided the outcome, the time is up, or a person interrupts. */
async function untilDecided(
  performed: Movement,
  { collector: { decided }, former, journal }: Pick<WaitParts, "collector" | "former" | "journal">,
  { host, say, forMs, listen, asking }: WaitPlan & { readonly asking: StatusAsking },
  endsAt: number,
): Promise<void> {
  const wake = AbortSignal.any([host.signal, decided]);
  let movement = performed;
  let sayAtMs = forMs;
  while (mayStillBeDecided(movement) && !wake.aborted) {
    const leftMs = endsAt - host.clock.elapsed();
    if (leftMs <= 0) return;
    if (leftMs <= sayAtMs) {
      await say(
        `Waiting for the ${listen === undefined ? "outcome" : "callback"}, ${formatDuration(Math.ceil(leftMs / 1000) * 1000)} left.`,
      );
      sayAtMs = leftMs - sayEveryMs;
    }
    await host.clock.sleep(Math.min(tickMs, leftMs), wake).catch(() => undefined);
    if (!wake.aborted) await asking.askWhenDue(movement);
    await former.record();
    movement = await standing(movement, journal);
  }
}

/** The order as the journal has it now; where its outcome could not be recorded, the known one counts. */
async function standing(known: Movement, journal: Journal): Promise<Movement> {
  const found = await journal.read(known.id).catch(() => undefined);
  return found === undefined || isInFlight(found) ? known : found;
}

/** The order with the address that was made for this run, which doesn't count as a difference between requests. */
function withCallbackUrl(order: MoneyOrder, callbackUrl: string): MoneyOrder {
  const volatile = [...new Set([...order.volatile, "callbackUrl"])];
  return { ...order, input: { ...order.input, callbackUrl }, volatile };
}

/** The origin that an earlier run gave to the service, where this run has another one. */
function otherOrigin(movement: Movement, base: string): string | undefined {
  const { origin } = new URL(requestText(requestOf(movement), "callbackUrl") ?? base);
  return origin === new URL(base).origin ? undefined : origin;
}

function goesElsewhere({ id }: Movement, given: string, own: string): string {
  return `The service was given ${given} for this order, and not ${own}. Unless that leads here, no callback comes. Have the statement read: partner journal resolve ${id}`;
}

/** The address at which a service on this machine reaches our server, even one that listens on all interfaces. */
function ownAddress({ host, origin }: Listening): string {
  if (host === "0.0.0.0") return origin.replace(host, "127.0.0.1");
  return host === "::" ? origin.replace("[::]", "[::1]") : origin;
}
