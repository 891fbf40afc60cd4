import { requestText } from "../../journal/requests/movement-request.ts";
import type { WalletIndex } from "../../movements/batch/order-amount.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import type { SubmittedReview } from "./review.ts";

/**
 * Refuses a batch if a paying wallet differs from the one its approver saw.
 * @throws {Failure} usage if a wallet has changed | unavailable if it cannot be read
 */
export function refuseOtherWallets(
  { submitted: { id }, decisions }: Pick<SubmittedReview, "submitted" | "decisions">,
  wallets: WalletIndex,
): void {
  for (const [account, seen] of decisions.flatMap(({ looked }) => walletsSeenIn(looked))) {
    if (wallets === undefined)
      throw new Failure("unavailable", `The wallets of batch ${id} cannot be read; nothing was sent.`, {
        hint: "Run it again later: what its approvers were shown is compared with them first.",
        money: "not moved",
      });
    const real = wallets.get(account);
    const [name, currency] = [requestText(real ?? {}, "accountName") ?? "", requestText(real ?? {}, "currency") ?? ""];
    if (real !== undefined && name === seen.name && currency === seen.currency) continue;
    throw new Failure("usage", `Batch ${id} was approved with another wallet ${account}; none of it was sent.`, {
      hint: `It was shown as ${said(seen)}, and is ${real === undefined ? "not listed" : said({ name, currency })}. Have it submitted and approved again.`,
      money: "not moved",
    });
  }
}

interface Seen {
  readonly name: string;
  readonly currency: string;
}

/** The wallets that a decision recorded; none for a decision from before they were recorded. */
function walletsSeenIn(looked: string | null): readonly (readonly [string, Seen])[] {
  const value: unknown = looked === null ? {} : JSON.parse(looked);
  const wallets: unknown = typeof value === "object" && value !== null && "wallets" in value ? value.wallets : {};
  return Object.entries(wallets ?? {}).map(([account, wallet]) => [
    account,
    { name: requestText(wallet, "name") ?? "", currency: requestText(wallet, "currency") ?? "" },
  ]);
}

function said({ name, currency }: Seen): string {
  return `${quote(name)}, ${currency}`;
}
