import type { Host } from "../../host/host.ts";
import type { PostgresConnection, PostgresSettings } from "../../host/databases/postgres.ts";
import { PostgresError } from "../../host/databases/postgres.ts";
import { interruption } from "../../values/failure.ts";

const waitMs = 500;
/** SQLSTATE: another connection holds the row's lock. */
const heldState = "55P03";

/**
 * Waits until no other sync runs on any host, and makes others wait until the turn is released. The turn is a row lock
 * on a connection of its own, so a process that dies releases it at once.
 * @returns releases the turn
 * @throws {Failure} interrupted
 * @throws {PostgresError}
 */
export async function takeTurn(host: Host, settings: PostgresSettings): Promise<() => Promise<void>> {
  const connection = await (await host.postgres()).connect(settings, host.signal);
  try {
    while (!(await lockRow(connection))) {
      if (host.signal.aborted) throw interruption(host.signal);
      await host.clock.sleep(waitMs, host.signal).catch(() => undefined);
    }
    return () => connection.close();
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function lockRow(connection: PostgresConnection): Promise<boolean> {
  try {
    await connection.run([
      { text: "BEGIN; SET LOCAL row_security = on; SET LOCAL idle_in_transaction_session_timeout = 0" },
      { text: "SELECT sole FROM partner.ledger_turn FOR UPDATE NOWAIT" },
    ]);
    return true;
  } catch (error) {
    await connection.run([{ text: "ROLLBACK" }]);
    if (error instanceof PostgresError && error.code === heldState) return false;
    throw error;
  }
}
