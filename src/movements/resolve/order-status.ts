import type { Reader } from "../../client/reader.ts";
import type { CallbackOutcome } from "../../contract/callback.ts";
import { readCollectionCallback } from "../../contract/callback.ts";
import { statusEndpoints } from "../../contract/extensions/status.ts";
import type { OutcomeDecision } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { otherAmountIn, requestOf } from "../../journal/requests/movement-request.ts";
import type { Clock } from "../../host/host.ts";
import type { ExtensionName } from "../../values/extension.ts";
import { Failure } from "../../values/failure.ts";

/** Everything needed to ask the service for an order's status. */
export interface StatusSource {
  readonly service: Pick<Reader, "readOnce">;
  /** What the account has beyond the specification. */
  readonly extensions: ReadonlySet<ExtensionName>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Calls `ask` once the order may be asked about again, whichever run asked last. */
  readonly inTurn: <T>(order: string, ask: () => Promise<T>) => Promise<T>;
}

/** What the service said of an order when it was asked. */
export type StatusAnswer =
  | { readonly is: "final"; readonly outcome: CallbackOutcome; readonly word: string; readonly saw: string }
  /** It is under way, or nothing was said that proves anything. */
  | { readonly is: "open"; readonly saw: string }
  /** The account lacks the extension that the profile turned on. */
  | { readonly is: "lacking"; readonly saw: string };

/** Before that the service may not know of the order yet. */
const firstAfterMs = 5_000;
/** The answer about an order that the service doesn't have. Any other 404 is a missing route. */
const unknownOrder = "NOT_FOUND";

/**
 * True where the service can be asked: both names of the order are known, and its outcome is open, or rests on an
 * unsigned callback.
 */
export function hasStatus(movement: Movement, { extensions }: Pick<StatusSource, "extensions">): boolean {
  const extension = statusEndpoints[movement.kind]?.extension?.name;
  if (extension === undefined || !extensions.has(extension) || movement.transactionId === null) return false;
  return movement.state === "pending" || movement.state === "unknown" || movement.evidence === "callback";
}

/**
 * Asks once for an order's status, no sooner than some seconds after it was sent.
 * @throws {Failure} setup (credentials) | interrupted
 */
export async function askStatus(movement: Movement, source: StatusSource): Promise<StatusAnswer> {
  const { kind, reference, transactionId, openedAt } = movement;
  const endpoint = statusEndpoints[kind];
  const { clock, signal, service } = source;
  if (endpoint === undefined || transactionId === null) return { is: "open", saw: "It cannot be asked for." };
  const earlyMs = openedAt + firstAfterMs - clock.now();
  if (earlyMs > 0 && earlyMs <= firstAfterMs) await clock.sleep(earlyMs, signal);
  const ids = { transactionId, transactionRef: reference };
  try {
    const body = await source.inTurn(movement.id, () => service.readOnce(endpoint, ids));
    const said = readCollectionCallback(body);
    if (said === undefined) return { is: "open", saw: "Its status says nothing about the order." };
    const isAnother = said.reference !== reference || !["", transactionId].includes(said.transactionId ?? "");
    if (isAnother) return { is: "open", saw: "Its status is about another order, which proves nothing." };
    const other = otherAmountIn(kind, body, requestOf(movement));
    if (other !== undefined) return { is: "open", saw: `Its status names another ${other}, which proves nothing.` };
    const saw = `Asked for its status, the service says ${said.word}.`;
    const { outcome, word } = said;
    return outcome === undefined || outcome === "pending" ? { is: "open", saw } : { is: "final", outcome, word, saw };
  } catch (error) {
    if (!(error instanceof Failure) || error.ending === "interrupted") throw error;
    return inWords(error, `${endpoint.method} ${endpoint.path}`, endpoint.extension?.name ?? "");
  }
}

function inWords({ http, reason, message }: Failure, route: string, extension: string): StatusAnswer {
  if (http === 403 || (http === 404 && reason !== unknownOrder))
    return {
      is: "lacking",
      saw: `The service has no ${route} for this account (${http}): remove the extension ${extension} from the profile.`,
    };
  if (http === 404) return { is: "open", saw: "The service knows no status of it, which proves nothing." };
  return { is: "open", saw: `Its status cannot be read. ${message}` };
}

/** How an order came out, as its status says. */
export function statusDecision({ outcome, word }: StatusAnswer & { readonly is: "final" }): OutcomeDecision {
  return { state: outcome, evidence: "status", note: `The service said ${word} when it was asked` };
}
