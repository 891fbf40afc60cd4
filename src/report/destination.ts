import { interruption } from "../values/failure.ts";
import type { Outputs } from "./options.ts";
import { explainSave, explainSpool, explainStdout, explained } from "./write-trouble.ts";

/**
 * Where a result is gathered until all of it is known to be good. Nothing can be seen from outside before `deliver`,
 * so a failure halfway leaves stdout empty and the old file whole.
 */
export interface Destination {
  /** @throws {Failure} usage | unavailable */
  write(content: string | Uint8Array): Promise<void>;
  /** @throws {Failure} usage | unavailable | interrupted */
  deliver(): Promise<void>;
  /** Lets go of what was not delivered. */
  discard(): Promise<void>;
}

/** A result up to this size is gathered in memory, a larger one in a temporary file. */
export const spoolMemoryMaxBytes = 4 * 1024 * 1024;

/**
 * The file of `--save`, or stdout.
 * @throws {Failure} usage | unavailable
 */
export function openDestination(save: string | undefined, outputs: Outputs): Promise<Destination> {
  return save === undefined ? Promise.resolve(toStdout(outputs)) : toFile(save, outputs);
}

async function toFile(path: string, { files, signal }: Outputs): Promise<Destination> {
  const explainFile = explainSave(path);
  const explain = (error: unknown) => (error === signal.reason ? interruption(signal) : explainFile(error));
  const draft = await explained(() => files.draft(path, "kept"), explain);
  return {
    write: (content) => explained(() => draft.write(content), explain),
    deliver: () => explained(() => draft.commit(), explain),
    discard: () => draft.abandon(),
  };
}

function toStdout({ stdout, files, signal }: Outputs): Destination {
  const spool = files.spool(spoolMemoryMaxBytes);
  return {
    write: (content) => explained(() => spool.write(content), explainSpool),
    async deliver() {
      const stopped = nextSignal(signal);
      const chunks = spool.chunks()[Symbol.asyncIterator]();
      // A reader that went away has seen enough.
      while (!stdout.closed) {
        const next = await explained(() => chunks.next(), explainSpool);
        if (next.done === true) return;
        await explained(() => Promise.race([stdout.write(next.value), stopped]), explainStdout);
      }
    },
    discard: () => spool.discard(),
  };
}

/**
 * Rejects at Ctrl-C or TERM, so that a reader that does not read holds nobody up. A signal that came before counts for
 * nothing: the result may be what it made of an order, and is to be shown.
 */
function nextSignal(signal: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(interruption(signal)), { once: true });
  });
  // It may come when all was delivered.
  stopped.catch(() => undefined);
  return stopped;
}
