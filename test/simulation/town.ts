import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "../../src/host/host.ts";
import type { RequestHandler } from "../../src/host/server/listener.ts";
import type { Movement } from "../../src/journal/movement.ts";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import type { PlainPost } from "../../src/host/http/plain-post.ts";
import { Prng } from "../../src/simulator/prng.ts";
import { parseFault } from "../../src/simulator/fault.ts";
import { Faults } from "../../src/simulator/faults.ts";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { listOf, startProcess } from "../movements/till.ts";
import type { Run } from "../partner.ts";
import { run } from "../partner.ts";
import { Life } from "./mortal-host.ts";
import { configFolder, Premises } from "./premises.ts";
import { TownClock } from "./town-clock.ts";
import type { Weather } from "./town-wire.ts";
import { fairWeather, townWire } from "./town-wire.ts";

// Spec 2.4, with so little money that the service refuses some orders.
export const seedFile = join(temporaryFolder(), "town.json");
writeFileSync(
  seedFile,
  JSON.stringify({
    wallets: [
      wallet("1001", "DEFAULT DISBURSEMENT", "TZS", 9000),
      wallet("1002", "DISBURSEMENT", "TZS", 700),
      wallet("1003", "DISBURSEMENT", "TZS", 0),
      wallet("2001", "DISBURSEMENT", "KES", 5000),
      wallet("3001", "DEFAULT COLLECTION", "TZS", 0),
    ],
  }),
);

function wallet(accountNo: string, type: string, currency: string, opening: number): object {
  return { accountNo, accountName: `Wallet ${accountNo}`, type, currency, countryCode: currency.slice(0, 2), opening };
}

// Without this, oclif looks for a theme on the real disk in each run.
process.env["PARTNER_DISABLE_THEME"] = "true";

/** Noon in Dar es Salaam. */
const startMs = Date.UTC(2026, 2, 31, 9);

/** The conditions of a run. */
export interface Circumstances {
  readonly weather: Weather;
  /** A fault of the service for the next request that moves money. */
  readonly fault?: string | undefined;
  /** The process is killed after this many steps. */
  readonly diesAt?: number | undefined;
}

export const fair: Circumstances = { weather: fairWeather };

/** A service, a till and a wire between them, all in one process and driven by one seed. */
export interface Town {
  readonly simulator: RunningSimulator;
  readonly draw: Prng;
  /** Where orders are placed, if that can change. */
  readonly premises?: Premises | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Advances the clock, with everything due until then. */
  readonly pass: (ms: number) => Promise<void>;
  /** Starts a fault, written as for `--fault`, until it is ended. */
  plan(fault: string): () => void;
  /** Ends all faults. */
  endFaults(): void;
  /** Writes a file and returns its path. */
  save(text: string): Promise<string>;
  /** Undefined for a run that was killed. */
  run(words: readonly string[], circumstances: Circumstances): Promise<Run | undefined>;
  /** The orders in the journal as another process reads them; with `whole`, the journal is also verified. */
  movements(whole?: "whole"): Promise<Movement[]>;
  close(): Promise<void>;
}

export async function openTown(seed: number): Promise<Town> {
  const clock = new TownClock(startMs);
  const faults = new Faults();
  const { host, answer } = serviceHost(clock);
  const simulator = await startSimulator(host, { seed: seedFile, seedNumber: seed, faults, extensions: true });
  const draw = Prng.of(seed, "town");
  const premises = new Premises(environmentFor(simulator));
  const { processFate } = startProcess().machine;
  return {
    simulator,
    draw,
    premises,
    now: () => clock.now(),
    pass: (ms) => clock.pass(ms),
    plan: (fault) => faults.add(parseFault(fault, "--fault")),
    endFaults: () => faults.clear(),
    async save(text) {
      const path = `${configFolder}/batch.csv`;
      await premises.disk.put(path, Buffer.from(text));
      return path;
    },
    async run(words, { weather, fault, diesAt = Infinity }) {
      const end = fault === undefined ? undefined : faults.add(parseFault(fault, "--fault"));
      const process = startProcess();
      const { disk, machineId, environment } = premises;
      const person = new AbortController();
      const life = new Life(diesAt, () => process.end());
      const wire = townWire(answer(), draw, weather, () => person.abort("SIGINT"));
      const ended = await run(words, {
        seed: draw.integer(1, 2 ** 30),
        machine: { ...process.machine, machineId: () => Promise.resolve(machineId) },
        now: clock.now(),
        environment,
        host: { ...life.host(disk, wire), signal: person.signal },
      });
      process.end();
      end?.();
      return life.isOver ? undefined : ended;
    },
    async movements(whole) {
      const { disk, machineId, post } = premises;
      const machine = { machineId: () => Promise.resolve(machineId), ...(processFate && { processFate }) };
      const host = { files: disk.files, sqlite: () => Promise.resolve(disk.sqlite) };
      const { stateFolder } = post;
      // An auditor knows no other journal and accepts each as it is.
      const place = {
        stateFolder,
        configFolder: "/auditor",
        version: "test",
        use: "read",
        warn: () => undefined,
      } as const;
      const journal = await openJournal(memoryHost({ machine, host }), place);
      try {
        if (whole !== undefined) await journal.verify();
        return await listOf(journal.list());
      } finally {
        await journal.close();
      }
    },
    async close() {
      await simulator.stop();
      premises.close();
    },
  };
}

/** A host whose server is a function, and whose callbacks are always accepted. */
function serviceHost(clock: TownClock): { readonly host: Host; readonly answer: () => RequestHandler } {
  let answering: RequestHandler | undefined;
  const host: Host = {
    ...memoryHost(),
    clock,
    listen: (_, answer) => {
      answering = answer;
      const address = { host: "127.0.0.1", port: 1, origin: "http://127.0.0.1:1" };
      return Promise.resolve({ ...address, close: () => Promise.resolve() });
    },
    openPost: () => Promise.resolve(thankful),
  };
  return {
    host,
    answer() {
      if (answering === undefined) throw new Error("The service does not listen yet");
      return answering;
    },
  };
}

/** Accepts every callback. Otherwise it would be tried again for a day, which advances the service's clock. */
export const thankful: PlainPost = () =>
  Promise.resolve({ status: 200, headers: {}, body: nothing(), leave: () => undefined });

async function* nothing(): AsyncGenerator<Uint8Array> {
  // The answer to a callback has an empty body.
}
