import type { Credentials } from "../contract/authentication.ts";
import type { AuthGroup, Effect } from "../contract/endpoint.ts";
import type { Account } from "../profiles/account.ts";

/**
 * A group's credentials, looked up now; from then on they are masked on stderr.
 * @throws {Failure} setup
 */
export async function credentialsOf(
  group: AuthGroup,
  effect: Effect,
  account: Account,
  masked: Set<string>,
): Promise<Credentials> {
  if (group === "B") {
    const accessToken = (await account.groupB()).accessToken.reveal();
    masked.add(accessToken);
    return { group, accessToken };
  }
  const { accountId, secretKey } = await account.groupA(effect);
  masked.add(secretKey.reveal());
  return { group, accountId, secretKey: secretKey.reveal() };
}
