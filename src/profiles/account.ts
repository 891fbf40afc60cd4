import type { DateFormat, DecimalMark } from "../values/book-writing.ts";
import type { ExtensionName } from "../values/extension.ts";
import type { Limits } from "../values/money/limits.ts";
import type { Secret } from "../values/secret.ts";
import type { StatementCheckMode } from "../values/statement-check.ts";
import type { Nicknames } from "./nicknames.ts";
import type { Environment } from "./profile.ts";
import type { SecretUse } from "./secrets/secret-store.ts";
import type { SecretKind } from "./secrets/secrets.ts";

/**
 * The account that a command works with, from flags, environment and profile. Secrets are read on demand: a command
 * needs only those that it sends.
 */
export interface Account {
  /** The profile in use; undefined where the environment alone gives everything. */
  readonly name: string | undefined;
  /** The profile whose account this is. Undefined where variables name another account, or no profile is in use. */
  readonly owner: string | undefined;
  readonly environment: Environment;
  /** A valid base URL, as written: join paths with `joinUrl`. */
  readonly baseUrl: string;
  /** The base URL of group B; `baseUrl` unless it has its own. */
  readonly accountBaseUrl: string;
  readonly accountId: string | undefined;
  readonly callbackUrl: string | undefined;
  /** Features of the account beyond the specification. */
  readonly extensions: ReadonlySet<ExtensionName>;
  /** The limits of the profile. */
  readonly guards: Guards;
  /**
   * How long an accepted order is mentioned when a similar one follows, in milliseconds; 0: never. Undefined for the
   * default.
   */
  readonly likeWindowMs: number | undefined;
  /** When to read the statement before an order is sent; undefined for the default. */
  readonly statementCheck: StatementCheckMode | undefined;
  /** How many days the copy of a batch is kept; undefined for the default. */
  readonly batchKeepDays: number | undefined;
  /**
   * The profile's settings for the books that statements are compared with.
   * @throws {Failure} setup when a value in the file cannot be used
   */
  book(): BookHabits;
  /**
   * The nicknames of accounts in the profile in use. They belong to its own account: see `owner`.
   * @throws {Failure} setup when one in the file cannot be used
   */
  nicknames(): Nicknames;
  /** The source of each value, in words: `PARTNER_BASE_URL`, `profile shop`, `default`. */
  readonly sources: AccountSources;
  /** @throws {Failure} setup when it exists and must not be used */
  has(kind: SecretKind): Promise<boolean>;
  /**
   * The key for money may be stored separately: it is read only for requests that move money.
   * @throws {Failure} setup when id or key is missing or must not be sent to `baseUrl`
   */
  groupA(effect?: SecretUse): Promise<GroupA>;
  /** @throws {Failure} setup when it is missing or must not be sent to `accountBaseUrl` */
  groupB(): Promise<GroupB>;
  /** @throws {Failure} setup when there are none */
  webhookKeys(): Promise<WebhookKeys>;
}

/** Limits of a profile, so that a mistake stays small. They hold on this machine, for this profile. */
export interface Guards {
  /** The profile with these limits; undefined where no profile is in use. */
  readonly profile: string | undefined;
  /** The largest amount of one outgoing order, by currency. */
  readonly transferMax: Limits | undefined;
  /** The most that may be sent on one day of Dar es Salaam, by currency. */
  readonly dayMax: Limits | undefined;
  /** Where money may go: numbers of wallets, mobile numbers, `CODE:ACCOUNT`; undefined: anywhere. */
  readonly allowTo: readonly string[] | undefined;
}

/** The names of a book's columns, and how it writes days and decimals. */
export interface BookHabits {
  /** The path of an account's book, with `{account}` and optionally `{month}` in it. */
  readonly path: string | undefined;
  readonly reference: string | undefined;
  readonly amount: string | undefined;
  readonly date: string | undefined;
  readonly direction: string | undefined;
  readonly dateFormat: DateFormat | undefined;
  readonly decimal: DecimalMark | undefined;
}

export interface AccountSources {
  readonly environment: string;
  readonly baseUrl: string;
  readonly accountBaseUrl: string;
  readonly accountId: string | undefined;
  readonly callbackUrl: string | undefined;
}

/** The credentials of group A. Spec 5. */
export interface GroupA {
  readonly accountId: string;
  readonly secretKey: Secret;
  readonly sources: { readonly accountId: string; readonly secretKey: string };
}

/** The credentials of group B. Spec 5. */
export interface GroupB {
  readonly accessToken: Secret;
  readonly source: string;
}

/** The keys of webhook signatures, as base64: one, or two during a change of keys. */
export interface WebhookKeys {
  readonly keys: readonly Secret[];
  readonly source: string;
}
