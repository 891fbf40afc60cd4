import { test as base } from "vitest";
import { parseFault } from "../src/simulator/fault.ts";
import { Faults } from "../src/simulator/faults.ts";
import type { HeldAnswer } from "../src/simulator/faults/held-answer.ts";
import { environmentFor } from "../src/simulator/ready.ts";
import type { RunningSimulator } from "../src/simulator/simulator.ts";
import { startSimulator } from "../src/simulator/simulator.ts";
import type { World } from "./memory-host.ts";
import { memoryHost } from "./memory-host.ts";
import type { Run } from "./partner.ts";
import { run, words } from "./partner.ts";

/** The moment of every simulated test: the end of a quarter, noon in Dar es Salaam. */
export const now = Date.UTC(2026, 2, 31, 9, 0, 0);

/** Runs `partner` with the words of the template, against the simulator. */
export type Partner = (line: TemplateStringsArray, ...values: readonly (string | number)[]) => Promise<Run>;

/** Faults of the simulator, from the moment of the call. */
export interface FaultsAtHand {
  /** The next request to move money is done, and its answer lost. */
  loseNextAnswer(): void;
  /** Any fault, written as for `--fault`; the n-th counts from now. Returns a function that ends it. */
  plan(typed: string): () => void;
  /** The next answer of an endpoint, by its name with hyphens, waits until it is released. Its request is done. */
  hold(endpoint: string): HeldAnswer;
  /** From now on there are no faults. */
  clear(): void;
}

interface Fixtures {
  readonly planned: Faults;
  /** Whether the simulator serves the extensions beyond the specification. */
  readonly extensions: boolean;
  readonly faults: FaultsAtHand;
  readonly simulator: RunningSimulator;
  readonly partner: Partner;
  /** The same, in another world: a terminal, an environment, answers to prompts. */
  readonly partnerIn: (world: World) => Partner;
}

/** A test with a simulator of its own, whose world it can read, and a `partner` that talks to it. */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern
  planned: async ({}, use) => {
    await use(new Faults());
  },
  faults: async ({ planned }, use) => {
    const plan = (typed: string) => planned.add(parseFault(typed, "--fault"));
    await use({
      plan,
      hold: (endpoint) => planned.hold(endpoint),
      loseNextAnswer: () => void plan("lose-answer=money:1"),
      clear: () => planned.clear(),
    });
  },
  extensions: false,
  simulator: async ({ planned, extensions }, use) => {
    const simulator = await startSimulator(memoryHost({ now }), { faults: planned, extensions });
    await use(simulator);
    planned.clear();
    await simulator.stop();
  },
  partnerIn: async ({ simulator }, use) => {
    await use((world) => {
      const environment = { ...environmentFor(simulator), ...world.environment };
      return (line, ...values) => run(words(String.raw({ raw: line }, ...values)), { now, ...world, environment });
    });
  },
  partner: async ({ partnerIn }, use) => {
    await use(partnerIn({}));
  },
});
