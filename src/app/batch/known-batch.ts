import type { Journal } from "../../journal/journal.ts";
import { isKept } from "../../movements/batch/kept-batch.ts";
import { stateFolder } from "../../profiles/folders.ts";
import type { Session } from "../session.ts";

/** Tells whether a batch of an id is kept on this machine, or the journal has a row of it. */
export function knownBatches(journal: Journal, { host }: Session): (id: string) => Promise<boolean> {
  return async (id) => {
    if (await isKept(host, id, stateFolder(host))) return true;
    for await (const _ of journal.list({ batch: id, limit: 1 })) return true;
    return false;
  };
}
