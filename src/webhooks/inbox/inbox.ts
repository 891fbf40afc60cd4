import type { TextHints } from "../../values/text/text-hints.ts";
import type { ProcessFate } from "../../host/process/process-mark.ts";

/**
 * The state of an event. `new`: stored and not delivered. `failed`: not delivered within a day. `quarantined`: signed
 * by the service, but unreadable as an event, or too late to count as new.
 */
export const eventStates = ["new", "delivered", "failed", "quarantined"] as const;
export type EventState = (typeof eventStates)[number];

/** Forged bodies are kept separately from events, within fixed limits. */
export const keptStates = [...eventStates, "forged"] as const;
export type KeptState = (typeof keptStates)[number];

/** An event that the service signed. */
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
  /** When to deliver it; null for never. */
  readonly dueAt: number | null;
  /** Why it is quarantined, in words that follow a colon; undefined for an accepted event. */
  readonly problem?: string | undefined;
}

/** A body that is kept although it isn't an event. */
export interface RejectedWebhook {
  readonly receivedAt: number;
  readonly requestId: string | null;
  /** The timestamp of a signed body; null for a forged one. */
  readonly timestamp: string | null;
  readonly body: Uint8Array;
  /** What is wrong with it, in words that follow a colon. */
  readonly problem: string;
}

/** An entry of the inbox. */
export interface Kept {
  /** Entries are numbered in order of arrival. */
  readonly number: number;
  readonly id: string;
  readonly state: KeptState;
  readonly receivedAt: number;
  readonly requestId: string | null;
  readonly timestamp: string | null;
  readonly body: Uint8Array;
  /** The number of attempts to deliver it. */
  readonly attempts: number;
  /** The time of the next delivery; null where there is none. */
  readonly dueAt: number | null;
  /** When delivery was last requested, and the number of attempts since. */
  readonly wantedAt: number | null;
  readonly tries: number;
  /** Why the last attempt failed, or what is wrong with the body. */
  readonly problem: string | null;
}

/** The result of an attempt to deliver an event. */
export interface DeliveryOutcome {
  readonly state: EventState;
  readonly dueAt: number | null;
  readonly problem: string | null;
}

export interface KeptFilter {
  /** Default: all. */
  readonly states?: readonly KeptState[] | undefined;
  /** Only events that may contain what one of these says; an inbox on this machine ignores it. */
  readonly holding?: TextHints | undefined;
}

/** The events of an inbox by their numbers, for an index: a number is never used again. */
export interface EventTrail {
  hasMoreThan(count: number): boolean;
  /** The number of the last of `count` events after `after`; undefined where there are none. */
  lastOf(after: number, count: number): number | undefined;
  /** Undefined where the event was pruned, or released from quarantine under another number. */
  idOf(number: number): string | undefined;
  /** Events with numbers above `after`, up to `last`. */
  between(after: number, last: number): Iterable<Kept>;
  /** Events with these numbers, as far as they exist, in order of arrival. */
  numbered(numbers: readonly number[]): Iterable<Kept>;
}

/** The size of an inbox. */
export interface InboxSize {
  readonly bytes: number;
  /** When its oldest event came, in milliseconds since 1970 UTC. */
  readonly oldestAt: number | undefined;
}

/**
 * All events that came, each once. Unless a method says otherwise, its effect is on the disk when its promise resolves,
 * even after a power loss.
 */
export interface Inbox {
  /** Stores an event and returns its number; undefined where it was stored before, even if it was pruned since. */
  store(arrival: Arrival): Promise<number | undefined>;
  /** Stores a signed but unreadable body; undefined where the same one is stored already. */
  quarantine(rejected: RejectedWebhook): Promise<number | undefined>;
  /** Stores a forged body, and drops the oldest ones beyond the limits. */
  keepForged(rejected: RejectedWebhook): Promise<void>;

  find(id: string): Promise<Kept | undefined>;
  /** In order of arrival, forged ones last. Memory is bounded. */
  list(filter?: KeptFilter): AsyncIterable<Kept>;
  /** Undefined where several hosts share the inbox. */
  trail(): EventTrail | undefined;
  size(): Promise<InboxSize>;
  /**
   * Removes older entries, except those that wait for delivery. Hashes of their ids are kept forever, so that none is
   * shown again.
   * @returns how many were removed
   */
  prune(before: number): Promise<number>;

  /**
   * Records an attempt. It has no effect where the event is gone by now, and an event that another process has
   * delivered stays delivered.
   */
  settle(number: number, settlement: DeliveryOutcome): Promise<void>;
  /** Schedules an event for another delivery. */
  requeue(number: number, dueAt: number): Promise<void>;
  /** Releases a quarantined event: it is shown and delivered as if it came now, with a new number. */
  release(number: number, dueAt: number): Promise<void>;

  /**
   * Begins a watch, for a receiver that shows events and may deliver them. It takes over events that ended receivers
   * did not show.
   * @param mark the mark of this process
   * @param fateOf says whether the process with a mark still runs, as far as this machine knows
   */
  watch(mark: string, fateOf: (mark: string) => ProcessFate): Promise<Watch>;
  close(): Promise<void>;
}

/** The part of the inbox that one receiver is responsible for: everything stored while it lasts. */
export interface Watch {
  /** True for the first watch of an inbox, before any event. */
  readonly isFirst: boolean;
  /** The next events that were not shown, oldest first. */
  unshown(after: number, maxCount: number): Promise<readonly Kept[]>;
  /**
   * Records that everything up to that number was shown. It is on the disk no later than the next event, or when the
   * inbox is closed.
   */
  noteShown(number: number): void;
  /** Writes what was recorded to the disk. */
  flush(): Promise<void>;
  /** Events that are due by `now`, the earliest first. */
  due(now: number, maxCount: number): Promise<readonly Kept[]>;
  /** When the next event becomes due after `now`; undefined where none will. */
  nextDueAt(now: number): Promise<number | undefined>;
  /**
   * Takes over deliveries of receivers that have ended, and makes due by `now` what is due after `latest`: the clock was
   * set back.
   */
  adopt(now: number, latest: number): Promise<void>;
}
