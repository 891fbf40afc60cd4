import { accountBalance } from "../../contract/accounts.ts";
import { listWallets } from "../../contract/wallets.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import type { Session } from "../session.ts";

/** An account that nobody has: the answer 404 shows that the token was accepted. Spec 7.2. */
const nobodysAccount = "0";

/** What came of trying the credentials of a group. */
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
      result: hasGroupB ? await resultOf(() => readNobodysBalance(session)) : "not set up",
    },
  ];
}

/** The failures of the groups as one, with what became of the other; undefined where all went well. */
export function failureOf(checks: readonly GroupCheck[]): Failure | undefined {
  const failures = checks.flatMap(({ result }) => (result instanceof Failure ? result : []));
  // What waiting does not mend is to be looked at first.
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

/** A no to the account is a yes to the token; what concerns the token or the network is not. */
async function readNobodysBalance({ service }: Session): Promise<string> {
  try {
    await service.read(accountBalance, { accountNo: nobodysAccount });
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
