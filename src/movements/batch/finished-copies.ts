import { join } from "node:path";
import type { Host } from "../../host/host.ts";
import type { Journal } from "../../journal/journal.ts";
import { isFinal } from "../../journal/movement.ts";
import { batchIdForm } from "./identity.ts";

/** The files of a batch's copy. */
export interface BatchCopy {
  readonly id: string;
  readonly paths: readonly string[];
}

/**
 * Copies of batches whose orders were all finished before that time, the description of each first; of batches without
 * any order, those that were not used since then.
 */
export async function finishedCopies(
  { files }: Pick<Host, "files">,
  stateFolder: string,
  before: number,
  journal: Pick<Journal, "list">,
): Promise<readonly BatchCopy[]> {
  const folder = join(stateFolder, "batches");
  const ofBatch = new Map<string, string[]>();
  for (const name of (await files.names(folder)).toSorted()) {
    const [, id = ""] = /^([^.]+)\.(?:json|csv|xlsx)$/.exec(name) ?? [];
    if (batchIdForm.test(id)) ofBatch.set(id, [join(folder, name), ...(ofBatch.get(id) ?? [])]);
  }
  const finished: BatchCopy[] = [];
  for (const [id, paths] of ofBatch) {
    const sorted = paths.toSorted((one, other) => Number(other.endsWith(".json")) - Number(one.endsWith(".json")));
    if (await isOver({ files }, paths, await standing(journal, id, before), before))
      finished.push({ id, paths: sorted });
  }
  return finished;
}

type Standing = "finished" | "open" | "none";

async function standing(journal: Pick<Journal, "list">, batch: string, before: number): Promise<Standing> {
  let found: Standing = "none";
  for await (const { state, settledAt } of journal.list({ batch })) {
    if (!isFinal(state) || settledAt === null || settledAt >= before) return "open";
    found = "finished";
  }
  return found;
}

async function isOver(
  { files }: Pick<Host, "files">,
  paths: readonly string[],
  orders: Standing,
  before: number,
): Promise<boolean> {
  if (orders !== "none") return orders === "finished";
  const facts = await Promise.all(paths.map((path) => files.facts(path)));
  return facts.every((fact) => fact === undefined || fact.modifiedMs < before);
}
