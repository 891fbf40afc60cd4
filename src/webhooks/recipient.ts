import type { Host } from "../host/host.ts";
import type { Transport } from "../host/transport.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text.ts";
import { attempt } from "./delivery.ts";
import { payloadText } from "./event-line.ts";
import type { Kept } from "./inbox.ts";

const programTimeoutMs = 5 * 60_000;

/** How an attempt ended: undefined when it was taken, else why not. */
export interface NotTaken {
  /** In words that follow a colon. */
  readonly problem: string;
  /** True where nobody was reached at all. */
  readonly isUnreachable: boolean;
}

/** Somebody whom events are delivered to. */
export interface Recipient {
  /** Whom, in words: the address, the program. */
  readonly name: string;
  /** Events at the same time. */
  readonly maxAtOnce: number;
  deliver(event: Kept, signal: AbortSignal): Promise<NotTaken | undefined>;
}

/** Posts the body exactly as it was received; any 2xx takes it. */
export function postingTo(url: string, transport: Transport, ids: Host["ids"]): Recipient {
  return {
    name: url,
    maxAtOnce: 8,
    async deliver({ body, requestId }, signal) {
      const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
      const post = { url, body: text, requestId: sendable(requestId) };
      const { outcome, status, trouble, reached } = await attempt(post, { transport, ids, signal });
      if (outcome === "delivered") return undefined;
      return { problem: trouble ?? `it answered ${status ?? "nothing"}`, isUnreachable: !reached };
    },
  };
}

/** What it prints is not ours: stdout belongs to the events. */
function onOutput(): void {}

/** Runs a program with the payload document on its stdin, one event after the other; exit code 0 takes it. */
export function running(words: readonly string[], host: Pick<Host, "run">): Recipient {
  const [command = "", ...args] = words;
  return {
    name: quote(command),
    maxAtOnce: 1,
    async deliver({ body }, signal) {
      const streams = "capture" as const;
      const input = payloadText(body) ?? "";
      try {
        const program = {
          command,
          args,
          input,
          streams,
          onOutput,
          signal,
          timeoutMs: programTimeoutMs,
          ownGroup: true,
        };
        const { exit } = await host.run(program);
        return exit === 0 ? undefined : { problem: `it ended with exit code ${exit}`, isUnreachable: false };
      } catch (error) {
        return { problem: error instanceof Error ? error.message : String(error), isUnreachable: true };
      }
    },
  };
}

/** Both, one after the other: an event that the second one did not take goes to the first one again, too. */
export function oneAfterTheOther(first: Recipient, second: Recipient): Recipient {
  return {
    name: `${first.name} and ${second.name}`,
    maxAtOnce: Math.min(first.maxAtOnce, second.maxAtOnce),
    deliver: async (event, signal) => (await first.deliver(event, signal)) ?? second.deliver(event, signal),
  };
}

/**
 * The address that events are forwarded to.
 * @throws {Failure} usage
 */
export function parseForwardUrl(text: string, field: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "")
    return url.href;
  throw new Failure("usage", `${field} ${quote(text)} is no http or https address without a user name in it.`, {
    hint: `For example: ${field} http://127.0.0.1:3000/webhooks`,
  });
}

/** What a header can hold: the sender chose it. */
function sendable(requestId: string | null): string | undefined {
  return requestId !== null && /^[!-~]{1,200}$/.test(requestId) ? requestId : undefined;
}
