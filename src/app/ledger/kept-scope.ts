import { keptName } from "../../journal/account-name.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { Session } from "../session.ts";
import { withLedger } from "./open.ts";

/**
 * The name under which the ledger keeps the session's account: a corrected label, or another spelling of its address,
 * does not begin another ledger.
 * @throws {Failure} usage | setup | unavailable
 */
export async function keptScope(session: Session, ledger: Pick<Ledger, "accounts">): Promise<string> {
  return keptUnder(await session.accountScope(), ledger);
}

/** The same for an account by any of its names. */
export async function keptUnder(scope: string, ledger: Pick<Ledger, "accounts">): Promise<string> {
  const accounts = await ledger.accounts();
  return keptName(
    scope,
    accounts.map((account) => account.scope),
  );
}

/** The same, where the ledger is not open yet. */
export async function ledgerScope(session: Session): Promise<string> {
  return withLedger(session, (ledger) => keptScope(session, ledger));
}
