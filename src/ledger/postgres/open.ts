import type { Host } from "../../host/host.ts";
import type { PostgresUrl } from "../../values/addresses/postgres-url.ts";
import { namePostgres } from "../../values/addresses/postgres-url.ts";
import { SharedDatabase } from "../../storage/postgres/database.ts";
import { storeFailure } from "../../storage/postgres/failure.ts";
import { sharedSettings } from "../../storage/postgres/settings.ts";
import { DamageError, NewerSchemaError } from "../../storage/failures.ts";
import { Failure } from "../../values/failure.ts";
import type { Ledger } from "../ledger.ts";
import type { LedgerWriter } from "../writer.ts";
import { PostgresLedger } from "./postgres-ledger.ts";
import { PostgresLedgerWriter } from "./postgres-writer.ts";
import { ledgerLayout } from "./schema.ts";
import { takeTurn } from "./turn.ts";

/** The database of a shared journal, which also has the ledger of all hosts. */
export interface SharedLedgerPlace {
  readonly url: PostgresUrl;
  /** PEM text of `--ca-cert`. */
  readonly certificates: string | undefined;
}

/**
 * Opens the shared ledger of several hosts. It is not created here: `journal migrate` does that.
 * @throws {Failure} setup | unavailable
 */
export async function openSharedLedger(host: Host, place: SharedLedgerPlace): Promise<Ledger> {
  return new PostgresLedger((await openSharedLedgerDatabase(host, place)).database);
}

/**
 * Opens it for a sync. Only one sync runs at a time on all hosts; another one waits.
 * @throws {Failure} setup | unavailable | interrupted
 */
export async function openSharedLedgerWriter(host: Host, place: SharedLedgerPlace): Promise<LedgerWriter> {
  const { database, settings } = await openSharedLedgerDatabase(host, place);
  try {
    const release = await takeTurn(host, settings);
    const holder = host.ids.uuid();
    const writer = new PostgresLedgerWriter(database, { host, holder, release });
    await database.write(async (transaction) => {
      await transaction.run({ text: "UPDATE partner.ledger_holder SET holder = $1", values: [holder] });
    });
    return writer;
  } catch (error) {
    const named = await database.named(error, "write to");
    await database.close();
    throw database.explain(named);
  }
}

/**
 * Opens the database, and checks the version of its layout.
 * @throws {Failure} setup | unavailable
 */
export async function openSharedLedgerDatabase(host: Host, { url, certificates }: SharedLedgerPlace) {
  const name = namePostgres(url);
  const explain = (error: unknown) => storeFailure(error, { noun: "ledger", name, money: "none" });
  const settings = await sharedSettings(host, url, certificates);
  const database = new SharedDatabase(host, { settings, explain });
  try {
    const [row] = await database.firstRead("SELECT version FROM partner.layout WHERE part = 'ledger'");
    checkVersion(row?.["version"] ?? 0, name);
    return { database, settings };
  } catch (error) {
    await database.close();
    throw explain(error);
  }
}

function checkVersion(version: unknown, name: string): void {
  const { length: own } = ledgerLayout.migrations;
  if (version === own) return;
  if (typeof version !== "number") throw new DamageError("it has no version");
  if (version > own) throw new NewerSchemaError();
  throw new Failure("setup", `The ledger in ${name} is not there yet, or of an earlier version.`, {
    hint: "Create it, as a user who may create tables: partner journal migrate",
  });
}
