import type { DateFormat, DecimalMark } from "../values/book-writing.ts";
import type { ExtensionName } from "../values/extension.ts";
import type { Limits } from "../values/money/limits.ts";
import type { Secret } from "../values/secret.ts";
import type { StatementCheck } from "../values/statement-check.ts";
import type { Nicknames } from "./nicknames.ts";
import type { Environment } from "./profile.ts";
import type { Effect } from "./secrets/secret-store.ts";
import type { SecretKind } from "./secrets/secrets.ts";

/**
 * The account that a command works with, put together from flags, environment and profile. Secrets are fetched when
 * they are asked for and not before, so that a command needs just those that it sends.
 */
export interface Account {
  /** The profile in use; undefined where the environment alone says everything. */
  readonly name: string | undefined;
  /** The profile whose account this is. Undefined where variables name another account, or no profile is in use. */
  readonly owner: string | undefined;
  readonly environment: Environment;
  /** A usable base URL, as it was written: join paths by `joinUrl`. */
  readonly baseUrl: string;
  /** Group B's, which is `baseUrl` where nobody gave it another one. */
  readonly accountBaseUrl: string;
  readonly accountId: string | undefined;
  readonly callbackUrl: string | undefined;
  /** What the account has beyond the specification. */
  readonly extensions: ReadonlySet<ExtensionName>;
  /** What the profile lets happen to money. */
  readonly guards: Guards;
  /** How long an order that was taken is told of when a like one comes; 0: never. Undefined where nobody said. */
  readonly likeWindowMs: number | undefined;
  /** When the profile wants the statement read before an order leaves; undefined where it doesn't say. */
  readonly statementCheck: StatementCheck | undefined;
  /** How many days the copy of a batch stays; undefined where nobody said. */
  readonly batchKeepDays: number | undefined;
  /**
   * What the profile remembers of the books that statements are compared with.
   * @throws {Failure} setup when a value in the file cannot be used
   */
  book(): BookHabits;
  /**
   * What the profile in use calls accounts. They are its own account's: see `owner`.
   * @throws {Failure} setup when one in the file cannot be used
   */
  nicknames(): Nicknames;
  /** Where each value came from, in words: `PARTNER_BASE_URL`, `profile shop`, `default`. */
  readonly sources: AccountSources;
  /** @throws {Failure} setup when it is there and must not be used */
  has(kind: SecretKind): Promise<boolean>;
  /**
   * What moves money may be kept apart: it is opened for that alone.
   * @throws {Failure} setup when one of the two is missing or must not be sent to `baseUrl`
   */
  groupA(effect?: Effect): Promise<GroupA>;
  /** @throws {Failure} setup when it is missing or must not be sent to `accountBaseUrl` */
  groupB(): Promise<GroupB>;
  /** @throws {Failure} setup when there is none */
  webhookKeys(): Promise<WebhookKeys>;
}

/** Limits of a profile, so that a slip of the hand stays small. They hold on this machine, for this profile. */
export interface Guards {
  /** The profile whose limits they are; undefined where none is in use, and there are none. */
  readonly profile: string | undefined;
  /** The largest amount of one transfer, withdrawal or remittance. */
  readonly transferMax: Limits | undefined;
  /** The most that may leave on one day of Dar es Salaam. */
  readonly dayMax: Limits | undefined;
  /** Where money may go: numbers of wallets, mobile numbers, `CODE:ACCOUNT`; undefined: anywhere. */
  readonly allowTo: readonly string[] | undefined;
}

/** The names of a book's columns, and how it writes days and decimals. */
export interface BookHabits {
  /** Where the book of an account lies, with `{account}` and maybe `{month}` in it. */
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

/** What group A's requests prove themselves with. Spec 5. */
export interface GroupA {
  readonly accountId: string;
  readonly secretKey: Secret;
  readonly sources: { readonly accountId: string; readonly secretKey: string };
}

/** What group B's requests prove themselves with. Spec 5. */
export interface GroupB {
  readonly accessToken: Secret;
  readonly source: string;
}

/** What webhooks are signed with, as base64: one key, or two while one replaces the other. */
export interface WebhookKeys {
  readonly keys: readonly Secret[];
  readonly source: string;
}
