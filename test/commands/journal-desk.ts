import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Partner } from "../simulated.ts";

/** A place that sends money: profiles in one folder and a journal in another, on one machine. */
export interface Desk {
  readonly partner: Partner;
  readonly config: string;
  readonly state: string;
  readonly journal: string;
  /** The same profiles with another state folder, machine or other change. */
  at(changes: DeskChanges): Desk;
  /** Sends under each reference in turn, and returns the exit codes. */
  send(...references: readonly string[]): Promise<number[]>;
  /** Copies the journal, and returns a function that restores it. */
  backUp(): () => void;
}

export interface DeskChanges {
  readonly config?: string;
  readonly state?: string;
  readonly machineId?: string | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  readonly world?: World;
}

type PartnerIn = (world: World) => Partner;
let seeds = 0;

/** Opens a desk in its own folders. */
export function openDesk(partnerIn: PartnerIn, changes: DeskChanges = {}): Desk {
  const folder = temporaryFolder();
  const folders = { config: join(folder, "config"), state: join(folder, "state") };
  mkdirSync(folders.config, { mode: 0o700 });
  return deskIn(partnerIn, { machineId: "machine one", ...folders, ...changes });
}

function deskIn(
  partnerIn: PartnerIn,
  changes: DeskChanges & { readonly config: string; readonly state: string },
): Desk {
  const { config, state, machineId, environment, world } = changes;
  const journal = join(state, "journal.db");
  const partner: Partner = (line, ...values) => {
    seeds += 1;
    return partnerIn({
      seed: seeds,
      ...world,
      machine: { machineId: () => Promise.resolve(machineId), ...world?.machine },
      environment: { PARTNER_CONFIG_DIR: config, PARTNER_STATE_DIR: state, ...environment },
    })(line, ...values);
  };
  return {
    partner,
    config,
    state,
    journal,
    at: (more) => deskIn(partnerIn, { ...changes, ...more }),
    async send(...references) {
      const exits: number[] = [];
      for (const reference of references) exits.push((await partner`${transferOf(reference)}`).exit);
      return exits;
    },
    backUp() {
      const copy = join(temporaryFolder(), "state");
      cpSync(state, copy, { recursive: true });
      return () => {
        rmSync(state, { recursive: true });
        cpSync(copy, state, { recursive: true });
      };
    },
  };
}

/** Each reference has its own amount, so that no order is like another. */
export function transferOf(reference: string): string {
  const amount = Buffer.from(reference).reduce((sum, byte) => (sum * 31 + byte) % 5_000, 0) + 100;
  return `transfer --from 9000112233 --to 9000112244 --amount ${amount} --description rent --reference ${reference} --yes`;
}

/** How often money moved under each reference. */
export function movedUnder(simulator: RunningSimulator, ...references: readonly string[]): number[] {
  const rows = simulator.world.wallet("9000112233")?.entries ?? [];
  return references.map(
    (reference) =>
      rows.filter(({ narration }) => typeof narration === "string" && narration.endsWith(` [${reference}]`)).length,
  );
}
