import { join } from "node:path";
import type { Host } from "../../host/host.ts";
import type { Journal } from "../../journal/journal.ts";
import { batchIdForm } from "./identity.ts";

const dayMs = 86_400_000;
/** How long the copy of a batch is kept by default. */
export const defaultKeepDays = 400;
/** States of orders whose outcome is still open. */
const openStates = ["prepared", "sending", "pending", "unknown"] as const;

/**
 * Removes copies of batches that have not been used for this many days: they hold personal data. A batch with an open
 * order keeps its copy. The journal keeps its orders.
 * @returns how many batches were removed
 */
export async function expireBatches(
  { files, clock }: Pick<Host, "files" | "clock">,
  stateFolder: string,
  keepDays: number,
  journal: Pick<Journal, "list">,
): Promise<number> {
  const folder = join(stateFolder, "batches");
  const before = clock.now() - keepDays * dayMs;
  const gone = new Set<string>();
  // The description of a batch goes first: a copy without one is useless, and goes with the next run.
  const names = (await files.names(folder)).toSorted((one, other) => rank(one) - rank(other));
  for (const name of names) {
    const [, id = "", ending] = /^([^.]+)\.(json|csv|xlsx)$/.exec(name) ?? [];
    if (ending === undefined || !batchIdForm.test(id)) continue;
    const facts = await files.facts(join(folder, name));
    if (facts?.kind !== "file" || facts.modifiedMs >= before) continue;
    if (!gone.has(id) && (await isOpen(journal, id))) continue;
    await files.remove(join(folder, name));
    gone.add(id);
  }
  return gone.size;
}

function rank(name: string): number {
  return name.endsWith(".json") ? 0 : 1;
}

async function isOpen(journal: Pick<Journal, "list">, batch: string): Promise<boolean> {
  for await (const _ of journal.list({ batch, states: openStates, limit: 1 })) return true;
  return false;
}
