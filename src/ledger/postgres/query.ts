import type { Host } from "../../host/host.ts";
import type { PostgresConnection, PostgresTable } from "../../host/databases/postgres.ts";
import { ownCodes, PostgresError } from "../../host/databases/postgres.ts";
import { plainly } from "../../storage/postgres/database.ts";
import { deniedState } from "../../storage/postgres/denied.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import type { SharedLedgerPlace } from "./open.ts";
import { openSharedLedgerDatabase } from "./open.ts";
import { viewSchema, viewSettings } from "./views.ts";

/** Rows that are fetched in one go. */
const pageRows = 2_000;
/** SQLSTATEs that are the statement's own fault: syntax, names, types, values, or a write. */
const statementStates = /^(?:42(?!501)|22|21|25006|0A|23|2F|38|39|54)/;
const tooLongState = "57014";
const ordersNamed = /\borders\b/i;

/** A person's own statement, with the accounts and the time that its views show. */
export interface SharedQuestion {
  readonly sql: string;
  readonly scope?: string | undefined;
  /** Chooses from `kept` the scope name under which the ledger has the account of `scope`. */
  readonly keptAs: (scope: string, kept: readonly string[]) => string;
  /** Milliseconds since 1970 UTC. */
  readonly asOf?: number | undefined;
  readonly timeoutMs: number;
  /** The failure of a statement that takes longer than `timeoutMs`. */
  readonly tooLong: (cause: unknown) => Failure;
}

/**
 * Runs one statement in a read-only transaction, with the views on its search path. What else it may read depends on
 * the rights of its role. Shows the result page by page, and an empty page where it has no rows.
 * @throws {Failure} usage for any other statement | setup | unavailable, and what `show` throws
 */
export async function askShared(
  host: Host,
  place: SharedLedgerPlace,
  question: SharedQuestion,
  show: (page: PostgresTable) => Promise<void>,
): Promise<void> {
  const { database } = await openSharedLedgerDatabase(host, place);
  try {
    await database.lend((connection) =>
      answer(connection, host, question, show).catch(async (error: unknown) => {
        // Why a right is missing is asked over the same connection.
        if (error instanceof PostgresError && error.code === deniedState) await connection.run([{ text: "ROLLBACK" }]);
        throw error;
      }),
    );
  } catch (error) {
    if (error instanceof PostgresError && error.code === tooLongState) throw question.tooLong(error);
    if (error instanceof PostgresError && error.code === ownCodes.tooMuch) throw tooWide(error);
    throw isOfStatement(error) ? cannotRun(error) : database.explain(error);
  } finally {
    await database.close();
  }
}

async function answer(
  connection: PostgresConnection,
  { clock }: Host,
  { sql, scope = "", keptAs, asOf, timeoutMs, tooLong }: SharedQuestion,
  show: (page: PostgresTable) => Promise<void>,
): Promise<void> {
  const endsAt = clock.elapsed() + timeoutMs;
  const beginning = [
    { text: `BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; ${plainly}` },
    // Without rights on the schema, its views would only seem to be misspelled: fail before that.
    { text: `SELECT FROM ${viewSchema}.accounts LIMIT 0` },
  ];
  await connection.run(beginning);
  // The journal keeps each order under the scope that it was sent with.
  const shown = scope === "" || ordersNamed.test(sql) ? scope : keptAs(scope, await scopesKept(connection));
  await connection.run([
    {
      text: `SELECT set_config('search_path', $1, true),
        set_config('${viewSettings.scope}', $2, true), set_config('${viewSettings.asOf}', $3, true)`,
      values: [`pg_catalog, ${viewSchema}, pg_temp`, shown, asOf === undefined ? "" : String(asOf)],
    },
  ]);
  await connection.table(`DECLARE answer NO SCROLL CURSOR FOR ${sql}`);
  for (let isFirst = true; ; isFirst = false) {
    const leftMs = Math.ceil(endsAt - clock.elapsed());
    if (leftMs <= 0) throw tooLong(undefined);
    // Set before each page: the server times each fetch separately, and the statement may have changed the setting.
    await connection.run([
      { text: "SELECT pg_catalog.set_config('statement_timeout', $1, true)", values: [String(leftMs)] },
    ]);
    const page = await connection.table(`FETCH ${pageRows} FROM answer`);
    if (isFirst || page.rows.length > 0) await show(page);
    if (page.rows.length < pageRows) return;
  }
}

async function scopesKept(connection: PostgresConnection): Promise<readonly string[]> {
  const { rows } = await connection.table("SELECT DISTINCT scope FROM partner.ledger_accounts ORDER BY scope");
  return rows.flatMap(([scope]) => scope ?? []);
}

function isOfStatement(error: unknown): error is PostgresError {
  return error instanceof PostgresError && error.kind === "refused" && statementStates.test(error.code ?? "");
}

function tooWide(cause: PostgresError): Failure {
  return new Failure("usage", `The query returns rows that are too long: ${pageRows} of them are more than 256 MiB.`, {
    hint: "Choose fewer columns, or shorter ones.",
    cause,
  });
}

function cannotRun(cause: PostgresError): Failure {
  return new Failure("usage", `The query cannot be run: ${visible(cause.message)}.`, {
    hint: "A query reads the views accounts, rows, days, changes, acceptances, orders and events: partner help ledger sql",
    cause,
  });
}
