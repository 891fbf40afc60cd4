import type { Host } from "../host/host.ts";
import { sharedVersion } from "../storage/postgres/layout.ts";
import { Failure } from "../values/failure.ts";
import { namePostgres } from "../values/addresses/postgres-url.ts";
import { Approvals } from "./approvals.ts";
import { refuseFormer } from "../journal/postgres/chain/standings.ts";
import { noApprovals } from "./submitted-batch.ts";
import { approvalsLayout } from "../journal/postgres/approvals/schema.ts";
import { whoOf } from "../journal/movement-writer.ts";
import type { SharedPlace } from "../journal/postgres/open.ts";
import { connectShared } from "../journal/postgres/open.ts";
import { sharedFailure } from "../journal/postgres/failures.ts";

/** True for a role that owns the tables, or can become their owner; superusers can. */
const owner = `SELECT pg_has_role(session_user, relowner, 'MEMBER') AS is_owner
  FROM pg_class WHERE oid = to_regclass('partner.approvals')`;

/**
 * Opens the batches of a shared journal and the decisions about them.
 * @throws {Failure} setup | unavailable
 */
export async function openApprovals(
  host: Host,
  place: Pick<SharedPlace, "url" | "certificates" | "version">,
): Promise<Approvals> {
  const name = namePostgres(place.url);
  const shared = { noun: "journal", name, money: "none" } as const;
  const database = await connectShared(host, place, shared);
  try {
    const [facts] = await database.firstRead(owner);
    if ((await sharedVersion(database, approvalsLayout)) === undefined)
      throw new Failure("setup", `The shared journal ${name} is not set up for four eyes yet.`, {
        hint: "Have its owner do that, once: partner journal migrate --roles",
        reason: noApprovals,
      });
    await refuseFormer(database);
    return new Approvals(database, whoOf(host, place.version), facts?.["is_owner"] === true);
  } catch (error) {
    await database.close();
    throw sharedFailure(error, shared);
  }
}
