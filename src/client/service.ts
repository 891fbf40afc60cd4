import type { Credentials } from "../contract/authentication.ts";
import type { AuthGroup, Effect } from "../contract/endpoint.ts";
import type { ExtensionName } from "../values/extension.ts";

/** The service's addresses and our credentials, which are looked up when a request needs them. */
export interface Service {
  readonly live: boolean;
  /** What the account has beyond the specification. */
  readonly extensions: ReadonlySet<ExtensionName>;
  /** Whose extensions they are; undefined where no profile is in use. */
  readonly profile: string | undefined;
  /** The URL of a path and query, below the base URL of its group. */
  address(group: AuthGroup, target: string): string;
  /**
   * The credentials for `effect` (default: reads): a profile may have separate ones for moving money.
   * @throws {Failure} setup when the group's credentials are missing
   */
  credentials(group: AuthGroup, effect?: Effect): Promise<Credentials>;
}
