import type { Credentials } from "../contract/authentication.ts";
import type { AuthGroup } from "../contract/endpoint.ts";

/** Where the service stands and what proves who we are. Credentials are looked up when a request needs them. */
export interface Service {
  readonly live: boolean;
  /** The URL of a path and query, below the base URL of its group. */
  address(group: AuthGroup, target: string): string;
  /** @throws {Failure} setup when the group's credentials are missing */
  credentials(group: AuthGroup): Promise<Credentials>;
}
