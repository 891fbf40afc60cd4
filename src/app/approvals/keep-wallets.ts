import { requestText } from "../../journal/requests/movement-request.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonObject } from "../../values/json.ts";
import { sharedChoice } from "../journal/choice.ts";
import type { Session } from "../session.ts";

/**
 * Keeps names and currencies of wallets in the shared journal, so that people who approve batches see them, too. Only a
 * runner's role may write them; where they can't be kept, others see less.
 */
export async function keepWalletsShared(wallets: readonly JsonObject[], session: Session): Promise<void> {
  const shared = await sharedChoice(session.journalChoice);
  if (shared === undefined) return;
  try {
    const { openApprovals } = await import("../../approvals/open.ts");
    const approvals = await openApprovals(session.host, { ...shared, version: session.program.version });
    try {
      const scope = await session.accountScope();
      const named = wallets.flatMap((wallet) => {
        const [accountNo, currency] = [requestText(wallet, "accountNo"), requestText(wallet, "currency")];
        if (accountNo === undefined || currency === undefined) return [];
        return [{ scope, accountNo, currency, name: requestText(wallet, "accountName") ?? "" }];
      });
      await approvals.keepWallets(named);
    } finally {
      await approvals.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
