import type { SharedDatabase } from "../../../storage/postgres/database.ts";
import { Failure } from "../../../values/failure.ts";

const isOwnerSql = `SELECT pg_has_role(session_user, c.relowner, 'MEMBER') AS is_owner
  FROM pg_class c WHERE c.oid = 'partner.movements'::regclass`;

/**
 * Refuses any role but the owner of a shared journal, before anything is done.
 * @param does as in `Only the owner of the shared journal redacts its orders.`
 * @throws {Failure} setup
 */
export async function requireOwner(
  database: Pick<SharedDatabase, "read">,
  does: "archives" | "redacts",
): Promise<void> {
  const [owner] = await database.read(isOwnerSql);
  if (owner?.["is_owner"] === true) return;
  throw new Failure("setup", `Only the owner of the shared journal ${does} its orders.`, {
    hint: "Have it done by the role that ran partner journal migrate.",
  });
}
