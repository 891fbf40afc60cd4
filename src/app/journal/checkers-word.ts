import { noApprovals } from "../../approvals/submitted-batch.ts";
import type { RefusalStore } from "../../approvals/refusal-store.ts";
import { statementSources } from "../money/checks/statement-sources.ts";
import { Inquiry } from "../../evidence/inquiry.ts";
import { formerApprovals } from "../../journal/postgres/approvals/words.ts";
import { namesOfAccount } from "../../journal/account-name.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { askItsOwn } from "../../movements/resolve/resolve.ts";
import { Failure } from "../../values/failure.ts";
import type { Session } from "../session.ts";
import { sharedChoice } from "./choice.ts";

/**
 * Calls `use` with people's words about rows of submitted batches. Returns undefined where the journal takes no
 * batches.
 * @throws {Failure} setup | unavailable
 */
export async function withRefusals<T>(
  session: Session,
  use: (refusals: RefusalStore) => Promise<T>,
): Promise<T | undefined> {
  const shared = await sharedChoice(session.journalChoice);
  if (shared === undefined) return undefined;
  const { openApprovals } = await import("../../approvals/open.ts");
  try {
    const approvals = await openApprovals(session.host, { ...shared, version: session.program.version });
    try {
      return await use(approvals.refusals);
    } finally {
      await approvals.close();
    }
  } catch (error) {
    // An order without a batch needs no such words; for a row of a batch, the database itself demands them.
    if (error instanceof Failure && (error.reason === noApprovals || error.reason === formerApprovals))
      return undefined;
    throw error;
  }
}

/** True for a checker who does not send: the word counts, and a runner enters it in the journal. */
export async function isCheckerAlone(session: Session): Promise<boolean> {
  const duties = await withRefusals(session, (refusals) => refusals.duties());
  return duties !== undefined && duties.isChecker && !duties.isRunner;
}

/** Reads the statements that can show an order of this account. */
export function inquiryOf(journal: Journal, session: Session): (movement: Movement) => Promise<Inquiry> {
  return async (movement) => {
    const sources = await statementSources(session);
    if (namesOfAccount(sources.scope, await journal.accounts()).includes(movement.scope))
      return Inquiry.into([movement], sources);
    throw new Failure("unavailable", `It belongs to another account (${movement.scope}).`, {
      hint: askItsOwn(movement, (await session.account()).owner),
    });
  };
}
