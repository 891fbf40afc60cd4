import { codeOf } from "../../host/system-error.ts";
import type { Journal } from "../../journal/journal.ts";
import { defaultKeepDays, expireBatches } from "../../movements/batch/expire.ts";
import { stateFolder } from "../../profiles/folders.ts";
import { counted } from "../../values/text/counted.ts";
import type { Session } from "../session.ts";

/**
 * Removes expired copies of batches (`batch.keep` of the profile). A copy that cannot be removed doesn't keep a batch
 * from being sent.
 * @throws {Failure} setup where the journal cannot be read
 */
export async function expireOldBatches(journal: Journal, session: Session): Promise<void> {
  const { host } = session;
  const { batchKeepDays = defaultKeepDays } = await session.account();
  try {
    const count = await expireBatches(host, stateFolder(host), batchKeepDays, journal);
    if (count > 0)
      await session.note(`${counted(count, "old batch file")} removed: not used for ${batchKeepDays} days.`);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    await session.note(`Warning: old copies of batches could not be removed (${code}).`);
  }
}
