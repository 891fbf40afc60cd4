import { listen } from "../../src/host/server/node-listener.ts";
import type { StopSignal } from "../../src/values/failure.ts";
import type { World } from "../memory-host.ts";
import { memoryHost } from "../memory-host.ts";
import { run, words } from "../partner.ts";

/** Starts a simulator with its command, acts while it runs, and stops it by a signal. `said` is stderr so far. */
export async function whileRunning(
  line: string,
  act: (origin: string, said: () => string) => Promise<unknown>,
  signal: StopSignal = "SIGTERM",
) {
  const stop = new AbortController();
  const listening = Promise.withResolvers<string>();
  const { stderr } = memoryHost();
  const world: World = {
    stderr,
    host: {
      signal: stop.signal,
      async listen(options, answer) {
        const server = await listen(options, answer);
        listening.resolve(server.origin);
        return server;
      },
    },
  };
  const ended = run(words(line), world);
  const origin = await Promise.race([listening.promise, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  await act(origin, () => stderr.text());
  stop.abort(signal);
  return ended;
}
