import type { Journal } from "../journal/journal.ts";
import { partialView } from "../journal/postgres/roles/roles-sql.ts";
import { counted } from "../values/text/counted.ts";
import { Failure } from "../values/failure.ts";
import type { Check } from "./check.ts";
import { looking, ok, problem, warning } from "./check.ts";

/** How many of the newest orders are verified, within a second; `journal verify` reads all. */
const newestRows = 1000;

const shownFaults = 20;

/** Opens the journal for reading, with warnings. */
export type OpenJournal = (warn: (line: string) => void) => Promise<Journal>;

/** The checks of the journal, and the failure that an order would get where none may be sent. */
export interface JournalCheck {
  readonly checks: readonly Check[];
  readonly refusal: Failure | undefined;
}

/** Checks that the journal is intact, is still the one for orders, and has no orders with an unknown outcome. */
export async function checkJournal(openJournal: OpenJournal): Promise<JournalCheck> {
  let refusal: Failure | undefined;
  let guards: readonly string[] | undefined;
  const check = await looking("journal", async () => {
    const warnings: string[] = [];
    const journal = await openJournal((line) => void warnings.push(line));
    try {
      ({ refusal } = journal);
      guards = await journal.guards();
      if (refusal !== undefined) throw refusal;
      const { movements } = await journal.verify(newestRows);
      const unknown = await countUnknown(journal);
      const orders = counted(movements, "order");
      if (unknown > 0) warnings.push(`${unknown} of ${orders} unknown. Find out: partner journal resolve --all`);
      const looked = movements > newestRows ? `${orders}; the newest ${newestRows} are whole` : `whole, with ${orders}`;
      return warnings.length > 0 ? warning("journal", warnings.join(" ")) : ok("journal", looked);
    } catch (error) {
      if (!(error instanceof Failure) || error.reason !== partialView) throw error;
      return ok("journal", "this role sees the orders of its own batches alone.");
    } finally {
      await journal.close();
    }
  });
  return { checks: guards === undefined ? [check] : [check, checkGuards(guards)], refusal };
}

/** Triggers, functions, row policies, owners and rights in the database of a shared journal. */
function checkGuards(faults: readonly string[]): Check {
  const name = "journal guards";
  if (faults.length === 0) return ok(name, "triggers, row security, owners and rights are as they were made");
  const hint =
    "Ask the database's owner who did that, and why. Rights and row security: partner journal migrate --roles";
  const others = faults.length > shownFaults ? `; ${faults.length - shownFaults} more` : "";
  return problem(name, `${faults.slice(0, shownFaults).join("; ")}${others}. ${hint}`);
}

async function countUnknown(journal: Journal): Promise<number> {
  let count = 0;
  for await (const _ of journal.list({ states: ["unknown"] })) count += 1;
  return count;
}
