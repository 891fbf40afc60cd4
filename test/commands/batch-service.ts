import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { temporaryFolder } from "../memory-host.ts";

/** A folder for a batch file, and the settings of a `partner` that keeps its journal there. */
export interface Desk {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Writes a file and returns its path. */
  write(content: string | Uint8Array, name?: string): string;
  read(name: string): string;
}

export function openDesk(): Desk {
  const folder = temporaryFolder();
  const pathOf = (name: string) => join(folder, name);
  return {
    folder,
    environment: { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: join(folder, "state") },
    write(content, name = "batch.csv") {
      writeFileSync(pathOf(name), content);
      return pathOf(name);
    },
    read: (name) => readFileSync(pathOf(name), "utf8"),
  };
}

/** Flags for a file of transfers: its rows are `reference,amount` and pay from one wallet to another. */
export const payouts = "--kind transfer --from 9000112233 --set to=9000112244 --description rent";

/** A file with this many transfers, from R-1 on. */
export function transfers(count: number, amount: (index: number) => number = () => 5): string {
  const rows = Array.from({ length: count }, (_, index) => `R-${index + 1},${amount(index)}\n`);
  return `reference,amount\n${rows.join("")}`;
}

/** How often money left the wallet under a reference. */
export function timesMoved(simulator: RunningSimulator, reference: string): number {
  const { entries } = simulator.world.wallet("9000112233");
  const isMeant = (text: unknown) => typeof text === "string" && text.endsWith(` [${reference}]`);
  return entries.filter(({ narration }) => isMeant(narration)).length;
}

/** How often money left under each of the references R-1 to R-n. */
export function movedEach(simulator: RunningSimulator, count: number): number[] {
  return Array.from({ length: count }, (_, index) => timesMoved(simulator, `R-${index + 1}`));
}

/** A column of a CSV by its name; cells in these tests have no commas. */
export function column(csv: string, name: string): string[] {
  const [header = "", ...lines] = csv.trimEnd().split("\n");
  const index = header.split(",").indexOf(name);
  return lines.map((line) => line.split(",")[index] ?? "");
}
