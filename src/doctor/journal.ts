import type { Journal } from "../journal/journal.ts";
import { partialView } from "../journal/roles-sql.ts";
import { Failure } from "../values/failure.ts";
import type { Check } from "./check.ts";
import { looking, ok, warning } from "./check.ts";

/** The journal: whether it is whole, and whether an order in it waits for somebody to find out what became of it. */
export function checkJournal(openJournal: () => Promise<Journal>): Promise<Check> {
  return looking("journal", async () => {
    const journal = await openJournal();
    try {
      const { movements } = await journal.verify();
      const unknown = await countUnknown(journal);
      if (unknown === 0) return ok("journal", `whole, with ${movements} orders.`);
      return warning(
        "journal",
        `${unknown} of ${movements} orders are unknown. Find out: partner journal resolve --all`,
      );
    } catch (error) {
      if (!(error instanceof Failure) || error.reason !== partialView) throw error;
      return ok("journal", "this role sees the orders of its own batches alone.");
    } finally {
      await journal.close();
    }
  });
}

async function countUnknown(journal: Journal): Promise<number> {
  let count = 0;
  for await (const _ of journal.list({ states: ["unknown"] })) count += 1;
  return count;
}
