import type { PostgresConnection, PostgresServer, PostgresSettings } from "./postgres.ts";
import { ownCodes, PostgresError } from "./postgres.ts";

type Session = PostgresSettings["session"];

const stateSql =
  "SELECT pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') = 'on' AS is_read_only";

/**
 * Connects to the first server that answers and is of the requested kind. As with libpq, the next server is tried where
 * one doesn't answer or is of another kind; a refusal ends the search.
 * @throws {PostgresError}
 */
export async function connectToRight(
  { servers, session }: Pick<PostgresSettings, "servers" | "session">,
  connect: (server: PostgresServer) => Promise<PostgresConnection>,
): Promise<PostgresConnection> {
  const rounds: readonly Session[] = session === "prefer-standby" ? ["standby", "any"] : [session];
  let missed: PostgresError | undefined;
  for (const wanted of rounds)
    for (const server of servers) {
      try {
        const connection = await connect(server);
        if (await isWanted(connection, wanted)) return connection;
        await connection.close();
        missed = new PostgresError("lost", "no server among them fits", ownCodes.noTarget, undefined);
      } catch (error) {
        if (!(error instanceof PostgresError) || error.kind !== "lost") throw error;
        missed ??= error;
      }
    }
  throw missed ?? new PostgresError("lost", "no server is named", undefined, undefined);
}

async function isWanted(connection: PostgresConnection, session: Session): Promise<boolean> {
  if (session === "any") return true;
  const [[state] = []] = await connection.run([{ text: stateSql }]);
  const [isStandby, isReadOnly] = [state?.["is_standby"] === true, state?.["is_read_only"] === true];
  if (session === "primary") return !isStandby;
  if (session === "standby" || session === "prefer-standby") return isStandby;
  return session === "read-only" ? isReadOnly || isStandby : !isReadOnly && !isStandby;
}
