import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";

/** How long a tunnel may take to print its address. */
const addressWaitMs = 20_000;
/** Longer texts are not addresses. */
const addressMaxChars = 64 * 1024;
const scheme = "https://";
/** Characters that end an address; without one, the address may continue in the next piece. */
const addressEnd = /[\s"'`<>\\^{|}\p{Cc}]/u;
const trailingMarks = ".,;:!?)]";

/** A program that makes a port of this machine reachable from the internet while it runs. */
export interface Tunnel {
  /** Its public address. */
  readonly url: string;
  /** Resolves when the program ended, by itself or because it was closed. */
  readonly ended: Promise<void>;
  /** Ends the program and its children. */
  close(): Promise<void>;
}

/**
 * Starts a tunnel to the port; its address is the first https URL that it prints on stdout or stderr. `{port}` in
 * `words` is replaced by the port.
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
  const printed = new PrintedAddress();
  const decoder = new TextDecoder();
  const onOutput = (bytes: Uint8Array) => {
    printed.take(decoder.decode(bytes, { stream: true }));
    if (printed.found !== undefined) named.abort();
  };
  const running = host.run({
    command,
    args,
    streams: "capture",
    capturesErrors: true,
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
      url: addressOf(printed.found),
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
    // Stops the timer, which would keep the whole program from ending.
    named.abort();
  }
}

/** Returns when the address is known, or the time is up. */
async function wait({ clock, signal }: Pick<Host, "clock" | "signal">, named: AbortSignal): Promise<void> {
  try {
    await clock.sleep(addressWaitMs, AbortSignal.any([signal, named]));
  } catch (error) {
    if (!named.aborted) throw error;
  }
}

/** The first https address in a program's output, which comes in arbitrary pieces. */
class PrintedAddress {
  found: string | undefined;
  #word = "";

  take(text: string): void {
    const [end = "", ...others] = text.split(addressEnd);
    // An unfinished word is not searched again with each piece; one that is too long isn't a valid address.
    this.#word = this.#word.length > addressMaxChars ? this.#word : this.#word + end;
    const last = others.pop();
    if (last === undefined) return;
    const words = [this.#word, ...others].filter((word) => word.length <= addressMaxChars);
    this.found ??= words.map((word) => word.slice(startOf(word))).find((word) => word.length > scheme.length);
    this.#word = last;
  }
}

function startOf(word: string): number {
  const at = word.indexOf(scheme);
  return at < 0 ? word.length : at;
}

function addressOf(found = ""): string {
  let end = found.length;
  while (end > 0 && trailingMarks.includes(found.charAt(end - 1))) end -= 1;
  const url = found.slice(0, end);
  if (URL.canParse(url)) return url;
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
