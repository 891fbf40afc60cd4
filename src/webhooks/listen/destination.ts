import type { Host } from "../../host/host.ts";
import { quote } from "../../values/text/text.ts";
import type { Courier } from "../send/delivery.ts";
import { attempt } from "../send/delivery.ts";
import { payloadText } from "./event-line.ts";
import type { Kept } from "../inbox/inbox.ts";

const programTimeoutMs = 5 * 60_000;

/** The failure of an attempt; undefined after success. */
export interface NotTaken {
  /** In words that follow a colon. */
  readonly problem: string;
  /** True where no connection was made at all. */
  readonly isUnreachable: boolean;
}

/** An attempt that ended with an error: the event reached nothing. */
export function asNotTaken(error: unknown): NotTaken {
  return { problem: error instanceof Error ? error.message : String(error), isUnreachable: true };
}

/** A receiver of events: an address or a program. */
export interface EventDestination {
  /** Its name in words: the address, the program. */
  readonly name: string;
  /** How many events it gets at the same time. */
  readonly maxAtOnce: number;
  deliver(event: Kept, signal: AbortSignal): Promise<NotTaken | undefined>;
}

/** Posts the body exactly as it was received; any 2xx accepts it. */
export function postDestination(url: string, by: Omit<Courier, "signal">): EventDestination {
  // The query may contain a password.
  const [name = url] = url.split("?", 1);
  return {
    name,
    maxAtOnce: 8,
    async deliver({ body, requestId }, signal) {
      const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
      const post = { url, body: text, requestId: sendable(requestId) };
      const { outcome, status, reason, reached } = await attempt(post, { ...by, signal });
      if (outcome === "delivered") return undefined;
      return { problem: reason ?? `it answered ${status ?? "nothing"}`, isUnreachable: !reached };
    },
  };
}

/**
 * Runs a program with the payload document on its stdin, one event after the other. Exit code 0 accepts the event,
 * whatever the program leaves running, unless we stopped the program. Its stdout is dropped: ours is for events.
 */
export function programDestination(words: readonly string[], host: Pick<Host, "run">): EventDestination {
  const [command = "", ...args] = words;
  return {
    name: quote(command),
    maxAtOnce: 1,
    async deliver({ body }, signal) {
      const streams = "discard" as const;
      const input = payloadText(body) ?? "";
      try {
        const program = {
          command,
          args,
          input,
          streams,
          signal,
          timeoutMs: programTimeoutMs,
          ownGroup: true,
        };
        const { exit } = await host.run(program);
        // Many programs end with 0 when they are asked to stop, whatever they were about.
        if (signal.aborted) return { problem: "it was stopped", isUnreachable: false };
        return exit === 0 ? undefined : { problem: `it ended with exit code ${exit}`, isUnreachable: false };
      } catch (error) {
        return asNotTaken(error);
      }
    },
  };
}

/** Delivers to both, one after the other. If the second one refuses an event, the first one gets it again, too. */
export function bothDestinations(first: EventDestination, second: EventDestination): EventDestination {
  return {
    name: `${first.name} and ${second.name}`,
    maxAtOnce: Math.min(first.maxAtOnce, second.maxAtOnce),
    deliver: async (event, signal) => (await first.deliver(event, signal)) ?? second.deliver(event, signal),
  };
}

/** The request id, if it is valid as a header: the sender chose it. */
function sendable(requestId: string | null): string | undefined {
  return requestId !== null && /^[!-~]{1,200}$/.test(requestId) ? requestId : undefined;
}
