import { gather } from "../../find/gather.ts";
import { withFindIndex } from "../../find/trails/open.ts";
import {
  inboxEvents,
  hintedInboxTraces,
  inboxTraces,
  inboxTrail,
  indexedInboxTraces,
} from "../../find/inbox-traces.ts";
import type { OrderWords } from "../../find/journal-traces.ts";
import {
  hintedJournalTraces,
  indexedJournalTraces,
  journalTraces,
  journalTrail,
  orderTraces,
  withHistory,
} from "../../find/journal-traces.ts";
import { latestBeginning, ledgerTraces } from "../../find/ledger-traces.ts";
import { Needle } from "../../find/needle.ts";
import type { Payment } from "../../find/payments.ts";
import { groupTraces } from "../../find/payments.ts";
import { paymentOf, takenBackAt } from "../../find/timeline.ts";
import type { Trace, TraceSource } from "../../find/trace.ts";
import type { NumbersIndex } from "../../find/trails/trail.ts";
import type { OrderTrail } from "../../journal/history/trail.ts";
import type { EventTrail, Inbox } from "../../webhooks/inbox/inbox.ts";
import { groundsOf } from "../../journal/grounds.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { movementForms } from "../../journal/requests/movement-kinds.ts";
import { outcomeSentence } from "../../movements/outcome-sentence.ts";
import { Failure } from "../../values/failure.ts";
import { keptScope, keptUnder } from "../ledger/kept-scope.ts";
import { withLedger } from "../ledger/open.ts";
import { syncLedger } from "../ledger/sync.ts";
import { stateFolder } from "../../profiles/folders.ts";
import type { Session } from "../session.ts";
import { seenCurrencies, seenWallets } from "../seen/wallets.ts";
import { withInbox } from "../webhooks/inbox.ts";

/** The result of a search. */
export interface SearchResult {
  /** The newest last, by their first events. */
  readonly payments: readonly Payment[];
  /** The places that were searched, for a sentence. */
  readonly places: readonly string[];
  /** The first day from which the ledger has every account, `YYYY-MM-DD`; undefined where it is empty. */
  readonly since: string | undefined;
  /** True where more was found than is shown. */
  readonly isCut: boolean;
  /** Why the ledger may lack new rows; undefined where it is up to date, or was not to be synced. */
  readonly unsynced: Failure | undefined;
}

/**
 * Looks for a payment in all that is kept of one profile's account.
 * @throws {Failure} setup | unavailable
 */
export async function findPayments(session: Session, what: string, offline: boolean): Promise<SearchResult> {
  const scope = await session.accountScope();
  const unsynced = offline ? undefined : await syncFailure(session);
  const journal = await session.journal("read");
  const words = await orderWords(session);
  const trail = await journal.trail();
  return withInbox(session, "read", (inbox) => {
    const events = inbox.trail();
    const trails = [
      ...(trail === undefined ? [] : [journalTrail(journal.id, trail)]),
      ...(events === undefined ? [] : [inboxTrail(events)]),
    ];
    return withFindIndex(session.host, stateFolder(session.host), trails, (indexes) => {
      const orders = journalTraces(journal, scope, words);
      const webhooks = inboxTraces(() => inboxEvents(inbox));
      return withLedger(session, async (ledger) => {
        const accounts = await ledger.accounts(await keptScope(session, ledger));
        const sources = [
          quickOrders(orders, { journal, trail, scope, words, index: indexes.get("orders") }),
          quickEvents(webhooks, { inbox, trail: events, index: indexes.get("events") }),
          ledgerTraces(ledger, accounts),
        ];
        const { traces, isCut } = await gather(sources, new Needle(what));
        const payments: Payment[] = [];
        for (const group of groupTraces(traces))
          payments.push(paymentOf(await withHistories(group, journal), accounts.length > 0));
        const places = sources.map(({ name }) => name);
        return { payments: payments.toSorted(byBeginning), places, since: latestBeginning(accounts), isCut, unsynced };
      });
    });
  });
}

/** Orders by the index, where there is one, or by the server's own search. */
function quickOrders(
  all: TraceSource,
  {
    journal,
    trail,
    scope,
    words,
    index,
  }: {
    readonly journal: Journal;
    readonly trail: OrderTrail | undefined;
    readonly scope: string;
    readonly words: OrderWords;
    readonly index: NumbersIndex | undefined;
  },
): TraceSource {
  if (trail === undefined) return hintedJournalTraces(journal, scope, words, all);
  return index === undefined ? all : indexedJournalTraces(trail, { scope, words, index }, all);
}

/** The same for webhooks. */
function quickEvents(
  all: TraceSource,
  {
    inbox,
    trail,
    index,
  }: {
    readonly inbox: Inbox;
    readonly trail: EventTrail | undefined;
    readonly index: NumbersIndex | undefined;
  },
): TraceSource {
  if (trail === undefined) return hintedInboxTraces(inbox, all);
  return index === undefined ? all : indexedInboxTraces(trail, index, all);
}

/** Reads new rows. After a failure the stored rows are searched anyway. */
async function syncFailure(session: Session): Promise<Failure | undefined> {
  try {
    await syncLedger(session, { named: [], startDate: undefined, isQuiet: true });
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.ending !== "interrupted") return error;
    throw error;
  }
}

/**
 * When the ledger shows that an order was reversed; undefined where it shows nothing of the kind.
 * @throws {Failure} setup | unavailable
 */
export async function takenBackInLedger(
  session: Session,
  journal: Journal,
  order: Movement,
): Promise<string | undefined> {
  const { id, kind, reference, scope } = order;
  const { direction } = movementForms[kind];
  const orders = await journal.search(reference, scope);
  // Money that comes in for a collection of the same reference isn't a reversal, and no row says which of the two it
  // is.
  if (orders.some((other) => other.id !== id && movementForms[other.kind].direction !== direction)) return undefined;
  const traced = orderTraces(orders, await orderWords(session));
  return withLedger(session, async (ledger) => {
    const accounts = await ledger.accounts(await keptUnder(scope, ledger));
    if (accounts.length === 0) return undefined;
    const { traces } = await gather([traced, ledgerTraces(ledger, accounts)], new Needle(reference));
    const own = groupTraces(traces).find((group) =>
      group.some((trace) => trace.order !== undefined && trace.key === id),
    );
    return own === undefined ? undefined : takenBackAt(own, direction === "leaves");
  });
}

/** Describes outcomes of orders, with the names and currencies last seen on this machine. */
async function orderWords({ host }: Session): Promise<OrderWords> {
  const [seen, currencyOf] = [await seenWallets(host), await seenCurrencies(host)];
  const walletOf = (scope: string) => (number: string) =>
    seen.findLast((each) => each.scope === scope && each.wallet === number);
  return {
    sentenceOf: (movement, history) =>
      outcomeSentence(movement, {
        sentNow: true,
        grounds: groundsOf(movement, history),
        wallet: walletOf(movement.scope),
      }),
    currencyOf,
  };
}

/** The group with the history of its orders. */
async function withHistories(group: readonly Trace[], journal: Journal): Promise<readonly Trace[]> {
  const traces: Trace[] = [];
  for (const trace of group)
    traces.push(trace.order === undefined ? trace : withHistory(trace, await journal.events(trace.key)));
  return traces;
}

function byBeginning({ events: [one] }: Payment, { events: [other] }: Payment): number {
  const [a, b] = [one?.at ?? "", other?.at ?? ""];
  return a < b ? -1 : Number(a > b);
}
