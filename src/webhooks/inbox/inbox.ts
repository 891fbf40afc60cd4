import type { ProcessFate } from "../../host/process/process-mark.ts";

/**
 * Where an event stands. `new`: stored, and not delivered to anybody. `failed`: it could not be delivered for a day.
 * `quarantined`: the service signed it, and no event can be read out of it, or it came too late to be taken for new.
 */
export const eventStates = ["new", "delivered", "failed", "quarantined"] as const;
export type EventState = (typeof eventStates)[number];

/** Forged bodies are kept apart from events, in a place that never grows beyond its limits. */
export const keptStates = [...eventStates, "forged"] as const;
export type KeptState = (typeof keptStates)[number];

/** What the service sent and signed. */
export interface Arrival {
  /** `transaction.id`. */
  readonly id: string;
  /** Milliseconds since 1970 UTC. */
  readonly receivedAt: number;
  /** The request's `x-request-id`. */
  readonly requestId: string | null;
  /** As it was signed. */
  readonly timestamp: string;
  /** Exactly as received. */
  readonly body: Uint8Array;
  /** When to deliver it; null where nobody wants it delivered. */
  readonly dueAt: number | null;
  /** Why it is quarantined, in words that follow a colon; left out for an event that is taken. */
  readonly problem?: string | undefined;
}

/** What is no event and is kept all the same. */
export interface RejectedWebhook {
  readonly receivedAt: number;
  readonly requestId: string | null;
  /** Of what was signed; null in what was forged. */
  readonly timestamp: string | null;
  readonly body: Uint8Array;
  /** What is wrong with it, in words that follow a colon. */
  readonly problem: string;
}

/** Something that the inbox keeps. */
export interface Kept {
  /** Counts what came, in its order. */
  readonly number: number;
  readonly id: string;
  readonly state: KeptState;
  readonly receivedAt: number;
  readonly requestId: string | null;
  readonly timestamp: string | null;
  readonly body: Uint8Array;
  /** How often somebody tried to deliver it. */
  readonly attempts: number;
  /** When it is delivered next; null where nobody wants that. */
  readonly dueAt: number | null;
  /** When somebody last asked for it to be delivered, and how often it was tried since. */
  readonly wantedAt: number | null;
  readonly tries: number;
  /** Why the last attempt failed, or what is wrong with it. */
  readonly problem: string | null;
}

/** How an attempt to deliver an event ended. */
export interface DeliveryOutcome {
  readonly state: EventState;
  readonly dueAt: number | null;
  readonly problem: string | null;
}

export interface KeptFilter {
  /** All of them when left out. */
  readonly states?: readonly KeptState[] | undefined;
}

/** What an inbox holds, for a person who wonders. */
export interface InboxSize {
  readonly bytes: number;
  /** When the oldest of its events came. */
  readonly oldestAt: number | undefined;
}

/**
 * All events that ever came, each once. What a method promises is on the disk when its promise resolves, power loss
 * included, unless it says otherwise.
 */
export interface Inbox {
  /** Keeps an event; undefined where it was there before, even if it was pruned since; else its number. */
  store(arrival: Arrival): Promise<number | undefined>;
  /** Keeps what the service signed and nobody can read; undefined where the very same is there already. */
  quarantine(rejected: RejectedWebhook): Promise<number | undefined>;
  /** Keeps what somebody else sent, and forgets the oldest of that kind for it. */
  keepForged(rejected: RejectedWebhook): Promise<void>;

  find(id: string): Promise<Kept | undefined>;
  /** In the order in which they came, forged ones last. Memory is bounded, however many there are. */
  list(filter?: KeptFilter): AsyncIterable<Kept>;
  size(): Promise<InboxSize>;
  /**
   * Removes what came before that, but for what waits to be delivered. Its ids are known for ever, as hashes: nobody
   * can have it shown again.
   * @returns how many
   */
  prune(before: number): Promise<number>;

  /**
   * Notes an attempt. It changes nothing where the event is gone meanwhile, and what somebody else delivered meanwhile
   * stays delivered.
   */
  settle(number: number, settlement: DeliveryOutcome): Promise<void>;
  /** Has an event delivered again by whoever delivers. */
  requeue(number: number, dueAt: number): Promise<void>;
  /** Takes a quarantined event for new: it is shown and delivered as if it came now. It gets another number. */
  release(number: number, dueAt: number): Promise<void>;

  /**
   * Begins a watch: a receiver that shows what comes, and may deliver it. It takes over what receivers that are gone
   * stored and did not show.
   * @param mark of this process
   * @param fateOf says whether the process with a mark still runs, as far as this machine can tell
   */
  watch(mark: string, fateOf: (mark: string) => ProcessFate): Promise<Watch>;
  close(): Promise<void>;
}

/** The part of the inbox that one receiver answers for. What is stored while it lasts is its own. */
export interface Watch {
  /** True for the first one that an inbox ever had, before anything came. */
  readonly isFirst: boolean;
  /** The next events that it has not shown, oldest first. */
  unshown(after: number, maxCount: number): Promise<readonly Kept[]>;
  /**
   * Everything up to that number was shown; on the disk at the latest when the next event is, or the inbox is closed.
   */
  noteShown(number: number): void;
  /** Writes down at once what was noted. */
  flush(): Promise<void>;
  /** Events that are to be delivered by now, the longest due first. */
  due(now: number, maxCount: number): Promise<readonly Kept[]>;
  /** When the next event is due that is not yet. */
  nextDueAt(now: number): Promise<number | undefined>;
  /** Takes over what nobody delivers any more who was to do so. */
  adopt(): Promise<void>;
}
