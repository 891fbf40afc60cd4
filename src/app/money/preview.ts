import type { Failure } from "../../values/failure.ts";
import type { Session } from "../session.ts";

/** What a look at the wallets gives, in words. */
export const namesAndBalances = "names and balances";

/** What a person should see before money moves, as far as the service gives it. */
export interface Preview {
  /** One sentence: what is about to happen. */
  readonly title: string;
  readonly lines: readonly (readonly [name: string, value: string])[];
  /** Reasons why the order is impossible. */
  readonly violations: readonly Failure[];
  /** Remarks that don't stop the order. */
  readonly warnings: readonly string[];
}

/**
 * Whose account it is and where each credential came from.
 * @throws {Failure} usage | setup
 */
export async function accountLines(session: Session): Promise<[string, string][]> {
  const account = await session.account();
  const { sources } = await account.groupA("moves money");
  return [
    ["profile", account.owner ?? "none (from the environment)"],
    ["environment", `${account.environment} (${account.baseUrl})`],
    ["account id", `${account.accountId ?? "none"} (${sources.accountId})`],
    ["secret key", sources.secretKey],
  ];
}
