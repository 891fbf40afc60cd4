import type { Host } from "../../host/host.ts";
import { SharedDatabase } from "../../storage/postgres/database.ts";
import type { SharedName } from "../../storage/postgres/failure.ts";
import { storeFailure } from "../../storage/postgres/failure.ts";
import { sharedSettings } from "../../storage/postgres/settings.ts";
import { DamageError, NewerSchemaError } from "../../storage/failures.ts";
import { Failure } from "../../values/failure.ts";
import type { PostgresUrl } from "../../values/addresses/postgres-url.ts";
import { namePostgres } from "../../values/addresses/postgres-url.ts";
import type { Inbox } from "./inbox.ts";
import { SharedInbox } from "./postgres-inbox.ts";
import { inboxLayout } from "./postgres-schema.ts";

export interface SharedInboxPlace {
  readonly url: PostgresUrl;
  /** PEM text of `--ca-cert`. */
  readonly certificates: string | undefined;
}

/**
 * Opens the shared inbox of several hosts. It is not created here: `journal migrate` does that.
 * @throws {Failure} setup | unavailable
 */
export async function openSharedInbox(host: Host, { url, certificates }: SharedInboxPlace): Promise<Inbox> {
  const shared: SharedName = { noun: "inbox", name: namePostgres(url), money: "none" };
  const explain = (error: unknown) => storeFailure(error, shared);
  const database = new SharedDatabase(host, { settings: await sharedSettings(host, url, certificates), explain });
  try {
    const [row] = await database.firstRead("SELECT version FROM partner.layout WHERE part = 'inbox'");
    checkVersion(row?.["version"] ?? 0, shared.name);
    return new SharedInbox(host, database);
  } catch (error) {
    await database.close();
    throw explain(error);
  }
}

function checkVersion(version: unknown, name: string): void {
  const { length: own } = inboxLayout.migrations;
  if (version === own) return;
  if (typeof version !== "number") throw new DamageError("it has no version");
  if (version > own) throw new NewerSchemaError();
  throw new Failure("setup", `The inbox in ${name} is not there yet, or of an earlier version.`, {
    hint: "Create it, as a user who may create tables: partner journal migrate",
  });
}
