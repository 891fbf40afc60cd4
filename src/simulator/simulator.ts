import type { Host } from "../host/host.ts";
import type { PlainPost } from "../host/http/plain-post.ts";
import type { RequestHandler, Listening } from "../host/server/listener.ts";
import type { ListenAddress } from "../values/addresses/listen-address.ts";
import { anyLoopbackPort } from "../values/addresses/listen-address.ts";
import type { ExtensionName } from "../values/extension.ts";
import { extensionNames } from "../values/extension.ts";
import { Failure } from "../values/failure.ts";
import { Scheduler } from "./scheduling/scheduler.ts";
import type { LogLine } from "./activity.ts";
import { deliveryLine, logging } from "./activity.ts";
import { answering } from "./answering.ts";
import type { Control } from "./control.ts";
import { withControl } from "./control.ts";
import { bulkBalance, bulkEarlierRows, bulkWallet } from "./demo/bulk.ts";
import { credentials } from "./credentials.ts";
import { Faults } from "./faults.ts";
import { noPersistence, persistIn } from "./scheduling/persistence.ts";
import type { SimulatedClock } from "./scheduling/clock.ts";
import { parseClock, startClock } from "./scheduling/clock.ts";
import type { ServedEnvironment } from "./routes.ts";
import { defaultBasePath } from "./routes.ts";
import type { RuleContext } from "./rules/rule.ts";
import { lastMoment, loadSeed } from "./demo/seeds.ts";
import { loadState } from "./state.ts";
import { startFailure } from "./start-failures.ts";
import { postMerchantEvents } from "./webhook.ts";
import { worker } from "./worker.ts";
import { World } from "./world.ts";

export interface SimulatorOptions {
  /** 0, the default, means any free port. */
  readonly port?: number | undefined;
  /** The address to listen on, instead of `port` on this machine alone. */
  readonly listen?: ListenAddress | undefined;
  /** The path prefix of group A; empty for none. */
  readonly path?: string | undefined;
  readonly environment?: ServedEnvironment | undefined;
  /** True to serve endpoints beyond the specification, too. */
  readonly extensions?: boolean | undefined;
  /** `demo` (the default), `empty`, or a file of the shape of `Seed`. */
  readonly seed?: string | undefined;
  /** The seed of random numbers; default: 1. */
  readonly seedNumber?: number | undefined;
  /** The start of the clock, ISO 8601; default: now. Never before the last row of the statements. */
  readonly clock?: string | undefined;
  /** Where to save the world. An existing file takes precedence over `seed` and `seedNumber`. */
  readonly stateFile?: string | undefined;
  /** How long subscribers take to answer, and a remittance to reach its next state. */
  readonly callbackDelayMs?: number | undefined;
  /** The address for a signed `transaction.created` for every row of a merchant account. */
  readonly webhookUrl?: string | undefined;
  /** Adds a wallet with this many rows, for benchmarks; ignored with `stateFile`. */
  readonly bulkRows?: number | undefined;
  /** Faults; more can be added while it runs. */
  readonly faults?: Faults | undefined;
  /** Lets other processes check whether it runs, and stop it; undefined where none can. */
  readonly control?: Control | undefined;
  /** Receives a line about each request and each delivery. */
  readonly log?: LogLine | undefined;
  /** How to send callbacks and webhooks; default: through the host. */
  readonly openPost?: (() => Promise<PlainPost>) | undefined;
}

/** Everything needed to connect to a simulator. */
export interface SimulatorAccess {
  /** Base URL of group A; with a path, like the service's. */
  readonly baseUrl: string;
  /** Base URL of group B; without a path. */
  readonly accountBaseUrl: string;
  readonly environment: ServedEnvironment;
  readonly accountId: string;
  readonly secretKey: string;
  readonly accessToken: string;
  readonly webhookKey: string;
  /** Account numbers. */
  readonly wallets: readonly string[];
  readonly accounts: readonly string[];
  /** Supported extensions beyond the specification. */
  readonly extensions?: readonly ExtensionName[] | undefined;
}

/** A simulator that accepts requests. */
export interface RunningSimulator extends SimulatorAccess {
  /** The state behind the API. */
  readonly world: World;
  /** Resolves when no callback and no change of state is pending. */
  idle(): Promise<void>;
  /** Finishes current requests, saves, and stops listening. */
  stop(): Promise<void>;
}

const defaultCallbackDelayMs = 1000;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 60_000;

/**
 * Starts the simulator: the whole specification over HTTP on this machine alone.
 * @throws {Failure} usage (clock, seed) | setup (the state file) | unavailable (the port is in use)
 */
export async function startSimulator(host: Host, options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const { environment = "live", path: basePath = defaultBasePath, faults = new Faults(), log } = options;
  const { extensions: hasExtensions = false } = options;
  const place = { environment, basePath, hasExtensions };
  const { world, clock } = await openWorld(host, options);
  const persistence =
    options.stateFile === undefined ? noPersistence : persistIn(options.stateFile, host.files, world, clock);
  // Better to report an unwritable state file now than after money has moved.
  const save = () => persistence.save().catch((error: unknown) => Promise.reject(unsaved(options.stateFile, error)));
  await save();
  const context = (): RuleContext => ({
    world,
    nowMs: clock.now(),
    served: (statement) => faults.served(statement, clock.now()),
    callbackDelayMs: options.callbackDelayMs ?? defaultCallbackDelayMs,
    later: (job) => {
      for (const each of faults.later(job)) scheduler.add(each);
    },
  });
  const work = worker(host, persistence, context, {
    open: options.openPost ?? (() => host.openPost({})),
    onPost: (job, sent, againInMs) => {
      log?.(deliveryLine(job, sent, againInMs));
      faults.posted(job);
    },
  });
  const scheduler = new Scheduler(world.chores, clock, work, (error) => {
    void host.stderr.write(`simulator: ${startFailure(error)}\n`);
  });
  world.onBooking((booking, rows) => faults.booked(booking, rows, context()));
  if (options.webhookUrl !== undefined) postMerchantEvents(options.webhookUrl, context);
  const counter = { place, clock: host.clock, signal: host.signal, context };
  const answer = logging(faults.around(answering({ place, persistence, context }), counter), basePath, log);
  const address = options.listen ?? { ...anyLoopbackPort, port: options.port ?? 0 };
  const listening = await listenOn(host, address, withControl(answer, options.control));
  const origin = reachable(listening.origin);
  scheduler.resume();
  return {
    baseUrl: origin + basePath,
    accountBaseUrl: origin,
    environment,
    ...credentials,
    wallets: [...world.wallets.keys()],
    accounts: [...world.accounts.keys()],
    extensions: hasExtensions ? extensionNames : undefined,
    world,
    idle: () => scheduler.idle(),
    async stop() {
      await listening.close();
      await scheduler.stop();
      await save();
    },
  };
}

async function openWorld(host: Host, options: SimulatorOptions): Promise<{ world: World; clock: SimulatedClock }> {
  const { stateFile, seedNumber = 1 } = options;
  const wishedMs = options.clock === undefined ? host.clock.now() : parseClock(options.clock);
  const saved = stateFile === undefined ? undefined : await loadState(host.files, stateFile);
  if (saved !== undefined) {
    return { world: saved.world, clock: startClock(host.clock, Math.max(wishedMs, saved.savedAtMs)) };
  }
  const seed = await loadSeed(host.files, options.seed ?? "demo", seedNumber, wishedMs);
  const startMs = Math.max(wishedMs, lastMoment(seed));
  const world = new World(seed, seedNumber);
  const count = stateFile === undefined ? (options.bulkRows ?? 0) : 0;
  if (count > 0) world.addWallet(bulkWallet, bulkBalance(count), bulkEarlierRows(count, startMs));
  return { world, clock: startClock(host.clock, startMs) };
}

function unsaved(path: string | undefined, cause: unknown): Failure {
  return new Failure("setup", `The simulator's state can't be kept in ${path ?? "memory"}: ${startFailure(cause)}.`, {
    hint: "Name a file in a folder that exists and that you may write to: partner simulator start --state FILE",
    cause,
  });
}

/** Replaces the address of all interfaces, to which clients can't connect. */
function reachable(origin: string): string {
  return origin.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

async function listenOn(host: Host, address: ListenAddress, answer: RequestHandler): Promise<Listening> {
  try {
    return await host.listen({ ...address, headersTimeoutMs, requestTimeoutMs }, answer);
  } catch (error) {
    const where = address.host === "127.0.0.1" ? `on port ${address.port}` : `at ${address.host}:${address.port}`;
    throw new Failure("unavailable", `The simulator can't listen ${where}: ${startFailure(error)}.`, {
      hint: "Let it take a free port: partner simulator start --port 0",
      cause: error,
    });
  }
}
