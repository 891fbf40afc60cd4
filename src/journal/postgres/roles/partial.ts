import type { PostgresRecord } from "../../../host/databases/postgres.ts";
import { Failure } from "../../../values/failure.ts";
import { isPartialSql, partialView } from "./roles-sql.ts";

/**
 * Refuses a role that is shown its own orders alone: what others did is not missing, and a part of history proves nothing.
 * @throws {Failure} setup
 */
export async function refusePartial(read: (text: string) => Promise<readonly PostgresRecord[]>): Promise<void> {
  const [seen] = await read(isPartialSql);
  if (seen?.["is_partial"] !== true) return;
  throw new Failure("setup", "This role sees the orders of its own batches alone: they cannot show what is missing.", {
    hint: "Have an auditor, a checker or a runner run it.",
    reason: partialView,
  });
}
