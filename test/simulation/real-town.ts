import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Prng } from "../../src/simulator/prng.ts";
import { parseFault } from "../../src/simulator/fault.ts";
import { Faults } from "../../src/simulator/faults.ts";
import { environmentFor } from "../../src/simulator/ready.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { startRun } from "../movements/child.ts";
import { openTill } from "../movements/till.ts";
import type { Town } from "./town.ts";
import { seedFile, thankful } from "./town.ts";

/** A run starts within a few hundred milliseconds and ends soon after. */
const lifeStepMs = 15;

/** The same town with real processes, sockets and disk; a process is killed after a given time. */
export async function openRealTown(seed: number): Promise<Town> {
  const faults = new Faults();
  const host = memoryHost({ now: Date.now(), host: { openPost: () => Promise.resolve(thankful) } });
  const simulator = await startSimulator(host, { seed: seedFile, seedNumber: seed, faults, extensions: true });
  const till = openTill(environmentFor(simulator));
  return {
    simulator,
    draw: Prng.of(seed, "real town"),
    now: () => Date.now(),
    pass: () => simulator.idle(),
    plan: (fault) => faults.add(parseFault(fault, "--fault")),
    endFaults: () => faults.clear(),
    save(text) {
      const path = join(temporaryFolder(), "batch.csv");
      writeFileSync(path, text);
      return Promise.resolve(path);
    },
    async run(words, { fault, diesAt }) {
      const end = fault === undefined ? undefined : faults.add(parseFault(fault, "--fault"));
      const child = startRun(words, till);
      const ending = new AbortController();
      if (diesAt !== undefined)
        void wait(diesAt * lifeStepMs, undefined, { signal: ending.signal }).then(
          () => child.kill("SIGKILL"),
          () => undefined,
        );
      const ended = await child.run;
      ending.abort();
      end?.();
      return ended.exit === 137 ? undefined : ended;
    },
    movements: () => till.movements(),
    close: () => simulator.stop(),
  };
}
