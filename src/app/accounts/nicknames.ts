import type { ResultOptions } from "../../cli/result-options.ts";
import type { Flags, Positionals } from "../../cli/line/input.ts";
import type { TypedValues } from "../../cli/command.ts";
import type { Host } from "../../host/host.ts";
import type { Account } from "../../profiles/account.ts";
import type { Nicknames } from "../../profiles/nicknames.ts";
import { resolveAccount } from "../../profiles/resolve.ts";
import { parseAccountNumber } from "../../values/account-number.ts";
import { Failure } from "../../values/failure.ts";
import { isNickname } from "../../values/nickname.ts";
import { combined } from "../../values/violation.ts";
import { closest } from "../../values/text/closest.ts";
import { flagName } from "../../values/text/flag-name.ts";
import { quote } from "../../values/text/text.ts";

/** What knows the account in use. */
interface Asking {
  readonly host: Host;
  account(): Promise<Account>;
}

/** The placeholder for further accounts in a usage line. */
const furtherAccounts = "[ACCOUNT...]";

/** The inputs of a command. */
interface CommandInputs {
  readonly args: Positionals;
  readonly flags: Flags;
  readonly rest?: string | undefined;
}

/**
 * Replaces nicknames on a command line by numbers, in every value that `parseAccountNumber` reads.
 * @throws {Failure} usage; names every word that isn't an account | setup
 */
export async function withoutNicknames(
  inputs: CommandInputs,
  typed: TypedValues,
  session: Asking,
): Promise<TypedValues> {
  const violations: Failure[] = [];
  const number = async (value: unknown, field: string): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map((each) => number(each, field)));
    if (typeof value !== "string" || !mayBeNickname(value)) return value;
    try {
      return await accountNumber(value, field, session);
    } catch (error) {
      if (!(error instanceof Failure) || error.ending !== "usage") throw error;
      violations.push(error);
      return value;
    }
  };
  const args = { ...typed.args };
  for (const [key, argument] of Object.entries(inputs.args))
    if (readsAccount(argument)) args[key] = await number(args[key], flagName(key).toUpperCase());
  const flags = { ...typed.flags };
  for (const [key, flag] of Object.entries(inputs.flags))
    if (readsAccount(flag)) flags[key] = await number(flags[key], `--${flagName(key)}`);
  const rest: string[] = [];
  for (const word of typed.rest)
    rest.push(inputs.rest === furtherAccounts ? String(await number(word, "ACCOUNT")) : word);
  if (violations.length > 0) throw combined(violations);
  return { args, flags, rest };
}

function readsAccount(input: object): boolean {
  return [Reflect.get(input, "read"), Reflect.get(input, "each")].includes(parseAccountNumber);
}

/**
 * The number of an account that a person named, by its number or by the profile's own name for it.
 * @throws {Failure} usage for a name that the profile does not have | setup
 */
export async function accountNumber(word: string, field: string, session: Asking): Promise<string> {
  if (!mayBeNickname(word)) return word;
  const account = await session.account();
  const nicknames = account.nicknames();
  const number = nicknames.get(word);
  if (account.owner === undefined) {
    // Variables name the account, so no profile knows its numbers.
    if (number === undefined && (!ofLetters.test(word) || (await isSeen(word, session.host)))) return word;
    if (number === undefined) throw nicknameWithoutProfile(word, field);
    throw new Failure(
      "usage",
      `${field} ${word} is a nickname of profile ${account.name}, and variables name another account.`,
      {
        hint: `Write the number, or name the profile: --profile ${account.name}`,
        money: "not moved",
      },
    );
  }
  const isNumber = await isSeen(word, session.host, account.owner);
  if (isNumber && number !== undefined && number !== word)
    throw new Failure("usage", `${field} ${word} is a wallet's own number, and a nickname of ${number}.`, {
      hint: `Remove the nickname: partner profile set ${account.owner} account.${word}=`,
      money: "not moved",
    });
  if (isNumber) return word;
  if (number === undefined) throw unknownNickname(word, field, account.owner, [...nicknames.keys()]);
  return number;
}

/** True for a wallet's own number, as far as this machine has seen the wallets. */
async function isSeen(word: string, host: Host, profile?: string): Promise<boolean> {
  const { walletsSeen } = await import("../seen/wallets.ts");
  return (await walletsSeen(host, profile)).some((seen) => seen.word === word);
}

/** True for a nickname, and for a word of letters: that is a mistyped name, not an account's number. */
function mayBeNickname(word: string): boolean {
  return isNickname(word) || ofLetters.test(word);
}

const ofLetters = /^[a-z][a-z._-]*$/i;

function nicknameWithoutProfile(word: string, field: string): Failure {
  return new Failure("usage", `${field} ${quote(word)} isn't an account number, and only profiles have nicknames.`, {
    hint: "Write the number, or name a profile that has the nickname: --profile NAME",
    money: "not moved",
  });
}

function unknownNickname(word: string, field: string, profile: string, names: readonly string[]): Failure {
  const meant = closest(word, names);
  const guess = meant === undefined ? "" : `Did you mean ${meant}? `;
  const rest =
    names.length === 0
      ? `Give an account a name: partner profile set ${profile} account.${isNickname(word) ? word : "NAME"}=NUMBER`
      : `Its nicknames are ${names.join(", ")}.`;
  return new Failure("usage", `${field} ${quote(word)} is neither a number nor a nickname of profile ${profile}.`, {
    hint: guess + rest,
    money: "not moved",
  });
}

/**
 * The nicknames of the account in use: none where no profile is in use, or variables name another account. Never a
 * failure, as they only help to read and to type.
 */
export async function nicknamesInUse(host: Host, profile: string | undefined): Promise<Nicknames> {
  try {
    const account = await resolveAccount(host, { profile });
    return account.owner === undefined ? new Map() : account.nicknames();
  } catch (error) {
    if (error instanceof Failure) return new Map();
    throw error;
  }
}

/** Nicknames by account number, where a person sees a table on a terminal; undefined elsewhere. */
export async function namesBeside(
  { format, file, save }: Pick<ResultOptions, "format" | "file" | "save">,
  host: Host,
  profile: string | undefined,
): Promise<ReadonlyMap<string, string> | undefined> {
  const isSeen = format === "table" && file === undefined && save === undefined && host.stdout.isTerminal;
  return isSeen ? namesByNumber(host, profile) : undefined;
}

/** Nicknames by account number, to show beside it; the first of several. */
export async function namesByNumber(host: Host, profile: string | undefined): Promise<ReadonlyMap<string, string>> {
  const nicknames = await nicknamesInUse(host, profile);
  return new Map([...nicknames].toReversed().map(([name, number]) => [number, name]));
}
