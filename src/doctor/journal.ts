import type { Journal } from "../journal/journal.ts";
import { partialView } from "../journal/postgres/roles-sql.ts";
import { counted } from "../values/text/counted.ts";
import { Failure } from "../values/failure.ts";
import type { Check } from "./check.ts";
import { looking, ok, warning } from "./check.ts";

/** Opens the journal to read it, and says what is unusual about it. */
export type OpenJournal = (warn: (line: string) => void) => Promise<Journal>;

/** What was found out about the journal, and the failure of an order where none may leave. */
export interface JournalCheck {
  readonly check: Check;
  readonly refusal: Failure | undefined;
}

/**
 * The journal: whether it is whole, still the one that orders go to, and whether an order in it waits for somebody to
 * find out what became of it.
 */
export async function checkJournal(openJournal: OpenJournal): Promise<JournalCheck> {
  let refusal: Failure | undefined;
  const check = await looking("journal", async () => {
    const warnings: string[] = [];
    const journal = await openJournal((line) => void warnings.push(line));
    try {
      ({ refusal } = journal);
      if (refusal !== undefined) throw refusal;
      const { movements } = await journal.verify();
      const unknown = await countUnknown(journal);
      const orders = counted(movements, "order");
      if (unknown > 0) warnings.push(`${unknown} of ${orders} unknown. Find out: partner journal resolve --all`);
      return warnings.length > 0 ? warning("journal", warnings.join(" ")) : ok("journal", `whole, with ${orders}`);
    } catch (error) {
      if (!(error instanceof Failure) || error.reason !== partialView) throw error;
      return ok("journal", "this role sees the orders of its own batches alone.");
    } finally {
      await journal.close();
    }
  });
  return { check, refusal };
}

async function countUnknown(journal: Journal): Promise<number> {
  let count = 0;
  for await (const _ of journal.list({ states: ["unknown"] })) count += 1;
  return count;
}
