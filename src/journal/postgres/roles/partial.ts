import type { PostgresRecord } from "../../../host/databases/postgres.ts";
import { Failure } from "../../../values/failure.ts";
import { isPartialSql, partialView } from "./roles-sql.ts";

type Read = (text: string) => Promise<readonly PostgresRecord[]>;

/** An earlier version knew no deputies. */
const hasDeputiesSql = "SELECT to_regprocedure('partner.is_deputy()') IS NOT NULL AS is_true";
const isDeputySql = "SELECT partner.is_deputy() AS is_true";

/**
 * Refuses a role that is shown only its own orders: those of others would look missing, and a part of history proves
 * nothing.
 * @throws {Failure} setup
 */
export async function refusePartial(read: Read): Promise<void> {
  if (await isPartial(read)) throw partial();
}

/**
 * The same for history, of which a checker's deputy sees what that checker sees.
 * @throws {Failure} setup
 */
export async function refusePartOfHistory(read: Read): Promise<void> {
  if (!(await isPartial(read))) return;
  if (!(await isTrue(read, hasDeputiesSql)) || !(await isTrue(read, isDeputySql))) throw partial();
}

async function isPartial(read: Read): Promise<boolean> {
  const [seen] = await read(isPartialSql);
  return seen?.["is_partial"] === true;
}

async function isTrue(read: Read, text: string): Promise<boolean> {
  const [answer] = await read(text);
  return answer?.["is_true"] === true;
}

function partial(): Failure {
  return new Failure("setup", "This role sees only the orders of its own batches: they cannot show what is missing.", {
    hint: "Have an auditor, a checker or a runner run it.",
    reason: partialView,
  });
}
