import type { Host } from "../host/host.ts";
import { dateFormats, decimalMarks } from "../values/book-writing.ts";
import type { ExtensionName } from "../values/extension.ts";
import { readExtensions } from "../values/extension.ts";
import { readWindow } from "../values/time/duration.ts";
import { Failure } from "../values/failure.ts";
import type { StatementCheckMode } from "../values/statement-check.ts";
import { statementChecks } from "../values/statement-check.ts";
import { readLimits } from "../values/money/limits.ts";
import { Secret } from "../values/secret.ts";
import { canonicalAddress } from "../values/addresses/service-address.ts";
import { splitWebhookKeys } from "../values/webhook-key.ts";
import type { Account, BookHabits, GroupA, Guards, WebhookKeys } from "./account.ts";
import type { AccountSecrets } from "./secrets/account-secrets.ts";
import { accountSecrets, readSecretVariable } from "./secrets/account-secrets.ts";
import type { Address } from "./address.ts";
import { resolveAddress } from "./address.ts";
import type { ChosenProfile } from "./chosen-profile.ts";
import { chooseProfile } from "./chosen-profile.ts";
import { profileValue, variableValue } from "./given-values.ts";
import { nicknamesOf } from "./nicknames.ts";
import type { ProfileKey } from "./profile-values.ts";
import { keepDaysIn } from "./profile-values.ts";
import type { Sourced } from "./variables.ts";
import { refuseDoubles, variableFor, variables } from "./variables.ts";
import { hostOfAccount } from "./whole-account.ts";

/** What the command line says about the account. */
export interface AccountChoice {
  /** `--profile`: this profile is the whole account, and no variable changes it. */
  readonly profile?: string | undefined;
}

/** Everything known about an account, each value with its source. */
export interface AccountParts extends Address {
  readonly chosen: ChosenProfile | undefined;
  /** False where variables name another account than the profile does. */
  readonly isProfiles: boolean;
  readonly accountId: Sourced | undefined;
  readonly callbackUrl: Sourced | undefined;
  readonly extensions: Sourced | undefined;
  readonly secrets: AccountSecrets;
  /** The secrets for moving money: the same ones, unless the profile keeps them separately. */
  readonly moneySecrets: AccountSecrets;
}

/**
 * The account that a command works with: the environment takes precedence over the profile, value by value, except that
 * an address in the environment replaces all of the profile's address, and that a profile on the command line is the
 * whole account. Nothing secret is read yet.
 * @throws {Failure} usage for a flag that isn't a profile's name | setup
 */
export async function resolveAccount(host: Host, choice: AccountChoice = {}): Promise<Account> {
  const parts = await gatherAccountParts(host, choice);
  const { chosen, isProfiles, environment, baseUrl, accountBaseUrl, accountId, callbackUrl } = parts;
  const { secrets, moneySecrets } = parts;
  return {
    name: chosen?.name,
    owner: isProfiles ? chosen?.name : undefined,
    environment: environment.value,
    baseUrl: baseUrl.value,
    accountBaseUrl: accountBaseUrl.value,
    accountId: accountId?.value,
    callbackUrl: callbackUrl?.value,
    extensions: extensionsIn(parts.extensions),
    guards: guardsOf(chosen),
    likeWindowMs: readWindow(profileValue(chosen, "like.window")?.value ?? ""),
    statementCheck: statementCheckOf(chosen),
    batchKeepDays: keepDaysIn(profileValue(chosen, "batch.keep")?.value ?? ""),
    book: () => bookOf(chosen),
    nicknames: () => nicknamesOf(chosen),
    sources: {
      environment: environment.source,
      baseUrl: baseUrl.source,
      accountBaseUrl: accountBaseUrl.source,
      accountId: accountId?.source,
      callbackUrl: callbackUrl?.source,
    },
    has: async (kind) => (await secrets.find(kind)) !== undefined,
    groupA: (effect = "reads") => fetchGroupA(effect === "reads" ? secrets : moneySecrets, accountId),
    async groupB() {
      const { value, source } = await secrets.fetch("accessToken");
      return { accessToken: value, source };
    },
    webhookKeys: async () => splitKeys(await secrets.fetch("webhookKey")),
  };
}

/**
 * The keys that webhooks are signed with, for commands that send nothing. With `PARTNER_WEBHOOK_KEY`, no profile is
 * read, unless the command line names one.
 * @throws {Failure} usage | setup
 */
export async function resolveWebhookKeys(host: Host, choice: AccountChoice = {}): Promise<WebhookKeys> {
  const given = await readSecretVariable(hostOfAccount(host, choice.profile), "webhookKey");
  return given === undefined ? (await resolveAccount(host, choice)).webhookKeys() : splitKeys(given);
}

/**
 * Combines flag, environment and profile.
 * @throws {Failure} usage | setup
 */
export async function gatherAccountParts(world: Host, choice: AccountChoice): Promise<AccountParts> {
  const host = hostOfAccount(world, choice.profile);
  refuseDoubles(host);
  refuseHalfPair(host);
  const chosen = await chooseProfile(host, choice.profile);
  const address = await resolveAddress(host, chosen);
  const { baseUrl, accountBaseUrl } = address;
  const addresses = { baseUrl: baseUrl.value, accountBaseUrl: accountBaseUrl.value };
  const secrets = accountSecrets(host, chosen, addresses, "reads");
  const isApart = chosen?.profile["money.secretStore"] !== undefined;
  const accountId = (await variableValue(host, "accountId")) ?? profileValue(chosen, "accountId");
  return {
    ...address,
    chosen,
    isProfiles: isAccountOf(chosen, baseUrl.value, accountId?.value),
    accountId,
    callbackUrl: profileValue(chosen, "callbackUrl"),
    extensions: (await variableValue(host, "extensions")) ?? profileValue(chosen, "extensions"),
    secrets,
    moneySecrets: isApart ? accountSecrets(host, chosen, addresses, "moves money") : secrets,
  };
}

/** True where account id and address are the profile's, whatever their source. */
function isAccountOf(chosen: ChosenProfile | undefined, baseUrl: string, accountId: string | undefined): boolean {
  if (chosen === undefined) return false;
  const { profile } = chosen;
  return profile.accountId === accountId && canonicalAddress(profile.baseUrl) === canonicalAddress(baseUrl);
}

function extensionsIn(given: Sourced | undefined): ReadonlySet<ExtensionName> {
  const extensions = given === undefined ? "" : readExtensions(given.value);
  return typeof extensions === "string" ? new Set() : extensions;
}

/** @throws {Failure} setup when a limit in the file is invalid: without a valid limit, no money is sent */
function guardsOf(chosen: ChosenProfile | undefined): Guards {
  const limit = (key: "limit.transfer" | "limit.day") => {
    const limits = readLimits(profileValue(chosen, key)?.value ?? "");
    return typeof limits === "string" ? undefined : limits;
  };
  return {
    profile: chosen?.name,
    transferMax: limit("limit.transfer"),
    dayMax: limit("limit.day"),
    allowTo: profileValue(chosen, "allow.to")?.value.split(","),
  };
}

/** @throws {Failure} setup when the file has another word there */
function statementCheckOf(chosen: ChosenProfile | undefined): StatementCheckMode | undefined {
  const word = profileValue(chosen, "check.statement")?.value;
  return statementChecks.find((check) => check === word);
}

/** @throws {Failure} setup when a value in the file cannot be used */
function bookOf(chosen: ChosenProfile | undefined): BookHabits {
  const value = (key: Extract<ProfileKey, `book.${string}`>) => profileValue(chosen, key)?.value;
  const [dateFormat, decimal] = [value("book.dateFormat"), value("book.decimal")];
  return {
    path: value("book.path"),
    reference: value("book.reference"),
    amount: value("book.amount"),
    date: value("book.date"),
    direction: value("book.direction"),
    dateFormat: dateFormats.find((format) => format === dateFormat),
    decimal: decimalMarks.find((mark) => mark === decimal),
  };
}

/** Account id and key are a pair: half of one pair with half of another is always a mistake. */
function refuseHalfPair(host: Host): void {
  const id = variableFor(host, "accountId");
  const key = variableFor(host, "secretKey");
  if ((id === undefined) === (key === undefined)) return;
  const [set, missing] = id === undefined ? [key, variables.accountId] : [id, variables.secretKey];
  throw new Failure("setup", `${set} is set and ${missing} is not: they only go together.`, {
    hint: `Set ${missing} (or ${missing}_FILE) too, or unset ${set}.`,
  });
}

async function fetchGroupA(secrets: AccountSecrets, accountId: Sourced | undefined): Promise<GroupA> {
  const { value, source } = await secrets.fetch("secretKey");
  if (accountId === undefined) throw new Failure("bug", "There is a secret key and no account id.");
  return { accountId: accountId.value, secretKey: value, sources: { accountId: accountId.source, secretKey: source } };
}

function splitKeys({ value, source }: Sourced<Secret>): WebhookKeys {
  return { keys: splitWebhookKeys(value.reveal()).map((key) => new Secret(key)), source };
}
