import type { Host } from "../host/host.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text.ts";

/** How long a tunnel has to say where it can be reached. */
const addressWaitMs = 20_000;
/** What it printed before is forgotten. */
const printedMaxChars = 64 * 1024;
/** An https URL that something follows: one at the very end may go on in the next piece. */
const address = /https:\/\/[^\s"'`<>\\^{|}\p{Cc}]+(?=[\s"'`<>\\^{|}\p{Cc}])/u;
const trailingMarks = /[.,;:!?)\]]+$/;

/** A program that makes a port of this machine reachable from the internet while it runs. */
export interface Tunnel {
  /** Where it leads from. */
  readonly url: string;
  /** Resolves when the program ended, by itself or because it was closed. */
  readonly ended: Promise<void>;
  /** Ends the program and all that it started. */
  close(): Promise<void>;
}

/**
 * Starts a tunnel to the port and takes the first https URL that it prints, on stdout or stderr. `{port}` within its
 * words stands for the port.
 * @throws {Failure} unavailable (it ended, or named no address in time) | usage (it cannot be run)
 */
export async function openTunnel(
  host: Pick<Host, "run" | "clock" | "signal">,
  words: readonly string[],
  port: number,
): Promise<Tunnel> {
  const [command = "", ...args] = words.map((word) => word.replaceAll("{port}", String(port)));
  const stop = new AbortController();
  const named = new AbortController();
  let printed = "";
  const decoder = new TextDecoder();
  const onOutput = (bytes: Uint8Array) => {
    printed = (printed + decoder.decode(bytes, { stream: true })).slice(-printedMaxChars);
    if (address.test(printed)) named.abort();
  };
  const running = host.run({
    command,
    args,
    streams: "capture",
    hearsErrors: true,
    ownGroup: true,
    onOutput: (bytes) => (named.signal.aborted ? undefined : onOutput(bytes)),
    signal: stop.signal,
  });
  const ended = running.then(
    () => undefined,
    () => undefined,
  );
  try {
    await Promise.race([
      wait(host, named.signal),
      running.then(endedEarly, (cause: unknown) => cannotRun(command, cause)),
    ]);
    return {
      url: addressIn(printed),
      ended,
      async close() {
        stop.abort();
        await ended;
      },
    };
  } catch (error) {
    stop.abort();
    await ended;
    throw error;
  } finally {
    // Nobody waits for an address any more: a timer that went on would keep the whole program from ending.
    named.abort();
  }
}

/** Until the address is named, or the time is up. */
async function wait({ clock, signal }: Pick<Host, "clock" | "signal">, named: AbortSignal): Promise<void> {
  try {
    await clock.sleep(addressWaitMs, AbortSignal.any([signal, named]));
  } catch (error) {
    if (!named.aborted) throw error;
  }
}

function addressIn(printed: string): string {
  const url = address.exec(printed)?.[0].replace(trailingMarks, "");
  if (url !== undefined && URL.canParse(url)) return url;
  throw noTunnel(`named no https address within ${addressWaitMs / 1000} s`);
}

function endedEarly({ exit }: { readonly exit: number }): never {
  throw noTunnel(`ended with exit code ${exit} instead of staying open`);
}

function cannotRun(command: string, cause: unknown): never {
  throw new Failure("usage", `The tunnel ${quote(command)} cannot be run; nothing was sent.`, {
    hint: "Check its name and that it may be executed.",
    money: "not moved",
    cause,
  });
}

function noTunnel(what: string): Failure {
  return new Failure("unavailable", `The tunnel ${what}; nothing was sent.`, {
    hint: "Run the command of --tunnel by itself to see what it says.",
    money: "not moved",
  });
}
