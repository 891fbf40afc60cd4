import { accountBalance } from "../../contract/accounts.ts";
import { listWallets } from "../../contract/wallets.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import type { Session } from "../session.ts";

/** An account number that doesn't exist: the answer 404 proves that the token was accepted. Spec 7.2. */
const nonexistentAccount = "0";

/** The result of trying the credentials of a group. */
export interface GroupCheck {
  readonly group: "A" | "B";
  readonly credentials: string;
  readonly result: string | Failure;
}

/**
 * One harmless read for each group that the profile has; one that fails does not keep the other from being tried.
 * @throws {Failure} interrupted | setup where nothing can be read at all
 */
export async function checkGroups(session: Session): Promise<readonly GroupCheck[]> {
  const account = await session.account();
  const hasGroupB = await account.has("accessToken");
  const hasGroupA = !hasGroupB || (await account.has("secretKey"));
  return [
    {
      group: "A",
      credentials: "account id and secret key",
      result: hasGroupA ? await resultOf(() => readWallets(session)) : "not set up",
    },
    {
      group: "B",
      credentials: "access token",
      result: hasGroupB ? await resultOf(() => tryToken(session)) : "not set up",
    },
  ];
}

/** The failures of the groups as one, which names the result of the other group; undefined where both succeeded. */
export function groupsFailure(checks: readonly GroupCheck[]): Failure | undefined {
  const failures = checks.flatMap(({ result }) => (result instanceof Failure ? result : []));
  // A failure that doesn't pass with time comes first.
  const worst = failures.find(({ ending }) => ending !== "unavailable") ?? failures[0];
  if (worst === undefined) return undefined;
  const { ending, requestId, http, reason, details } = worst;
  const results = checks.map(({ group, result }) => [
    `group ${group}`,
    result instanceof Failure ? result.message : result,
  ]);
  return new Failure(ending, [...new Set(failures.map(({ message }) => message))].join(" "), {
    hint: [...new Set(failures.flatMap(({ hint }) => hint ?? []))].join(" ") || undefined,
    requestId,
    http,
    reason,
    details: { ...details, ...Object.fromEntries(results) },
    cause: worst,
  });
}

async function readWallets({ service }: Session): Promise<string> {
  const { length } = await service.read(listWallets, {});
  return `accepted, ${counted(length, "wallet")}`;
}

/**
 * A refusal of the account means that the token was accepted. A refusal of the token, or a network failure, does not.
 */
async function tryToken({ service }: Session): Promise<string> {
  try {
    await service.read(accountBalance, { accountNo: nonexistentAccount });
  } catch (error) {
    if (!(error instanceof Failure && error.ending === "refused")) throw error;
  }
  return "accepted";
}

async function resultOf(read: () => Promise<string>): Promise<string | Failure> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure && error.ending !== "interrupted") return error;
    throw error;
  }
}
