import type { Host } from "../host/host.ts";
import { Failure } from "../values/failure.ts";
import type { PostgresUrl } from "../values/addresses/postgres-url.ts";
import { readPostgresUrl } from "../values/addresses/postgres-url.ts";
import { postgresDefaults } from "./postgres-defaults.ts";
import { profileInUse } from "./chosen-profile.ts";
import { profileValue } from "./given-values.ts";
import { readVariable } from "./variables.ts";

/** Where several hosts share journal, inbox and ledger. */
export interface JournalAddress {
  readonly url: PostgresUrl;
  /** As it was given: it may contain a password. */
  readonly text: string;
  /** What named it, in words for people. */
  readonly source: string;
}

/**
 * The database of the shared journal, from `PARTNER_JOURNAL_URL`, else from the profile. Undefined where the journal is
 * this user's own, in the state folder.
 * @throws {Failure} usage | setup
 */
export async function resolveJournal(host: Host, profile: string | undefined): Promise<JournalAddress | undefined> {
  const given = (await readVariable(host, "journal")) ?? profileValue(await profileInUse(host, profile), "journal");
  if (given === undefined) return undefined;
  const url = readPostgresUrl(given.value, await postgresDefaults(host, given.value));
  if (typeof url !== "string") return { url, text: given.value, source: given.source };
  throw new Failure("setup", `The journal's address in ${given.source} ${url}.`, {
    hint: `Correct it, or unset it to use this machine's own journal.`,
  });
}
