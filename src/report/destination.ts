import { interruption } from "../values/failure.ts";
import type { Spool } from "../host/files/files.ts";
import type { Outputs } from "./options.ts";
import { mayBePipe } from "./save.ts";
import { explainSave, explainSpool, explainStdout, explained } from "./write-failures.ts";

/**
 * Collects a result until all of it is known to be good. Nothing is visible outside before `deliver`: a failure halfway
 * leaves stdout empty and the old file intact.
 */
export interface Destination {
  /** @throws {Failure} usage | unavailable */
  write(content: string | Uint8Array): Promise<void>;
  /** @throws {Failure} usage | unavailable | interrupted */
  deliver(): Promise<void>;
  /** Discards what was not delivered. */
  discard(): Promise<void>;
}

/** A result up to this size is collected in memory, a larger one in a temporary file. */
export const spoolMemoryMaxBytes = 4 * 1024 * 1024;

/**
 * The file of `--save`, or stdout.
 * @throws {Failure} usage | unavailable
 */
export async function openDestination(save: string | undefined, outputs: Outputs): Promise<Destination> {
  if (save === undefined) return toStdout(outputs);
  const facts = await explained(() => outputs.files.facts(save), explainSave(save));
  return mayBePipe(facts) ? toPipe(save, outputs) : toFile(save, outputs);
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

/**
 * A pipe, a device or a link to one is opened only when the result is complete, as nothing written to it can be taken
 * back.
 */
function toPipe(path: string, outputs: Outputs): Destination {
  return gathered(outputs, async (chunks) => {
    const file = await toFile(path, outputs);
    try {
      for await (const chunk of chunks) await file.write(chunk);
      await file.deliver();
    } finally {
      await file.discard();
    }
  });
}

function toStdout({ stdout, files, signal }: Outputs): Destination {
  return gathered({ files }, async (chunks) => {
    const stopped = nextSignal(signal);
    for await (const chunk of chunks) {
      // A reader that closed the pipe has all it wanted.
      if (stdout.closed) return;
      await explained(() => Promise.race([stdout.write(chunk), stopped]), explainStdout);
    }
  });
}

/** Collects everything, in memory or in a temporary file, before any of it is passed on. */
function gathered(
  { files }: Pick<Outputs, "files">,
  handOn: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Destination {
  const spool = files.spool(spoolMemoryMaxBytes);
  return {
    write: (content) => explained(() => spool.write(content), explainSpool),
    deliver: () => handOn(chunksOf(spool)),
    discard: () => spool.discard(),
  };
}

/** @throws {Failure} unavailable where the temporary file can't be read */
async function* chunksOf(spool: Spool): AsyncGenerator<Uint8Array> {
  const chunks = spool.chunks()[Symbol.asyncIterator]();
  for (;;) {
    const next = await explained(() => chunks.next(), explainSpool);
    if (next.done === true) return;
    yield next.value;
  }
}

/**
 * Rejects at Ctrl-C or TERM, so that a stalled reader can't block the run. An earlier signal is ignored: the result may
 * be that of an order it interrupted, and must be shown.
 */
function nextSignal(signal: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(interruption(signal)), { once: true });
  });
  // The signal may come after everything was delivered.
  stopped.catch(() => undefined);
  return stopped;
}
