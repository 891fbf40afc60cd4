import type { Connection } from "../client/connection.ts";
import { checkPlace } from "../client/form-check.ts";
import { Mover } from "../client/mover.ts";
import type { Credentials } from "../contract/authentication.ts";
import { encodeRequest } from "../contract/request.ts";
import type { Host } from "../host/host.ts";
import type { Claim, Journal, Order, Settlement } from "../journal/journal.ts";
import { ClaimLost } from "../journal/claim-errors.ts";
import type { Movement } from "../journal/movement.ts";
import { isInFlight, movementNouns } from "../journal/movement.ts";
import { lateMarginMs } from "../journal/lease.ts";
import { serviceTimeNote } from "../journal/service-time.ts";
import type { Days, ServiceClock } from "../values/time/service-clock.ts";
import { Failure } from "../values/failure.ts";
import { otherRequest } from "./request-diff.ts";
import type { MoneyGuards } from "./guards/guards.ts";
import { guardOf } from "./guards/guards.ts";
import type { CurrencyOfWallet } from "./guards/limits.ts";
import type { MoneyOrder } from "./order.ts";
import type { Performed } from "./performed.ts";
import type { RepeatCheck } from "./guards/repeats.ts";
import { settlementOf } from "./settlement.ts";
import type { Witness } from "./guards/witness.ts";
import { recordPaid, ReferenceSeen, seenUnder } from "./guards/witness.ts";

export interface MoneyTools {
  readonly host: Pick<Host, "clock" | "ids" | "signal" | "giveUp" | "hold">;
  readonly journal: Journal;
  /** The connection to the service; the `Mover` over it is made here. */
  readonly connection: Connection;
  readonly scope: string;
  readonly profile: string | undefined;
  readonly credentials: Credentials;
  /** The longest that one request can take. */
  readonly deadlineMs: number;
  /** The limits of the profile. */
  readonly guards: MoneyGuards;
  /** The days that it may be now. */
  readonly limitDays: () => Days;
  /** The currencies of the account's wallets, asked for where a limit names one. */
  readonly currencies: () => Promise<CurrencyOfWallet | undefined>;
  /** Asked before an order is sent; without one, an order is held back if statements have shown its reference. */
  readonly witness?: Witness | undefined;
  /** Adds earlier callbacks to the outcome of an answer; default: the answer's own outcome. */
  readonly weigh?: ((settlement: Settlement) => Settlement) | undefined;
  /** Stops an order that looks like an earlier one, unless a person has confirmed it. */
  readonly repeatCheck: RepeatCheck;
  /** The service's clock, by its answers. */
  readonly serviceClock: Pick<ServiceClock, "spread">;
  /** Tells a person what the run waits for. */
  readonly say?: ((line: string) => Promise<void>) | undefined;
  /** Called when a signal arrives while the run waits for an answer; `over` is aborted when that wait ends. */
  readonly onPatience?: ((over: AbortSignal) => void) | undefined;
}

/** Polling interval for an order that another process is sending. */
const waitMs = 100;
/** After this time, a person gets a note about the wait. */
const sayAfterMs = 2_000;

/**
 * The only place that sends money: an order is on disk before its first byte is sent, is sent once, and its outcome is
 * on disk before the caller gets it. A reference that was ordered before is not sent again; its earlier outcome is
 * returned.
 * @throws {Failure} usage (the reference belongs to another request, a limit of the profile, a payment that looks like
 * one made before) | setup (no journal, no money) | interrupted
 */
export async function perform(order: MoneyOrder, tools: MoneyTools): Promise<Performed> {
  const { endpoint, kind, reference, input, volatile, batch } = order;
  checkPlace(endpoint, tools.connection.service);
  const { host, journal, scope, profile, deadlineMs, witness } = tools;
  const request = encodeRequest(endpoint, input).body ?? "{}";
  const guard = await guardOf(order, { ...tools, days: tools.limitDays() });
  let paid = await witness?.findPayment(order);
  const note = serviceTimeNote(host.clock.now(), tools.serviceClock.spread);
  const asked = { scope, kind, reference, profile, request, volatile, deadlineMs, batch, note };
  // A payment that was made before is not sent, so limits and repeats don't matter.
  const open = (checkSeen: Order["check"]) => {
    const check: Order["check"] = (around) => {
      checkSeen?.(around);
      tools.repeatCheck(order, around);
    };
    return journal.open(paid === undefined ? { ...asked, guard, check } : { ...asked, check: undefined });
  };
  const opening = await open(seenUnder(reference)).catch(async (error: unknown) => {
    if (!(error instanceof ReferenceSeen)) throw error;
    if (witness === undefined) throw error.failure;
    paid = await witness.findPayment(order, error.rows);
    return open(undefined);
  });
  if (opening.outcome === "claimed")
    return paid === undefined ? send(order, opening.claim, tools) : recordPaid(opening.claim, paid);
  if (!opening.isSameRequest) throw otherRequest(opening.movement, request, volatile);
  return { movement: await outcomeOf(opening.movement, tools), sentNow: false };
}

async function send(
  { endpoint, input }: MoneyOrder,
  claim: Claim,
  {
    host,
    connection,
    deadlineMs,
    credentials,
    weigh = (settlement) => settlement,
    onPatience = () => undefined,
  }: MoneyTools,
): Promise<Performed> {
  const requestId = host.ids.uuid();
  const over = new AbortController();
  const beginPatience = () => onPatience(over.signal);
  let hasLeft = false;
  const onLeaving = () => {
    hasLeft = true;
    host.hold();
    host.signal.addEventListener("abort", beginPatience);
  };
  try {
    const { signal, giveUp } = host;
    const sent = await new Mover(connection, deadlineMs)
      .send(claim, { endpoint, credentials, requestId, signal, giveUp, onLeaving })
      .finally(() => {
        over.abort();
        signal.removeEventListener("abort", beginPatience);
      });
    const settlement = weigh(settlementOf(sent, endpoint.receipt, input));
    return { movement: await claim.settle(settlement), sentNow: true };
  } catch (error) {
    // Another process took the claim over before anything was sent, or has recorded an outcome since.
    if (error instanceof ClaimLost) return { movement: error.movement, sentNow: hasLeft };
    throw error;
  }
}

/**
 * Another process may be sending it now: one sends, the others wait for its outcome and return the same. A process
 * holds an order at most for its deadline and a margin; if the journal still says so after that, a clock was set back,
 * and the order is returned as it is.
 */
async function outcomeOf(found: Movement, { host, journal, deadlineMs, say }: MoneyTools): Promise<Movement> {
  const { clock, signal } = host;
  const startedAt = clock.elapsed();
  let movement = found;
  let isSaid = false;
  while (isInFlight(movement) && clock.elapsed() - startedAt < deadlineMs + lateMarginMs) {
    await clock.sleep(waitMs, signal);
    const seen = await journal.read(movement.id).catch(unreadable);
    // The order may be under way right now: a broken journal says nothing about its money.
    if (seen instanceof Failure && seen.ending !== "unavailable") return { ...movement, note: inNote(seen) };
    movement = seen instanceof Failure ? movement : (seen ?? movement);
    if (isSaid || clock.elapsed() - startedAt < sayAfterMs || !isInFlight(movement)) continue;
    isSaid = true;
    await say?.(
      `Another process is working on the ${movementNouns[movement.kind]} ${movement.reference}; waiting for its outcome.`,
    );
  }
  return movement;
}

function unreadable(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** A message as a note, without its full stop. */
function inNote({ message }: Failure): string {
  return message.replace(/\.$/, "");
}
