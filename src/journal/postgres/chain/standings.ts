import type { SharedDatabase } from "../../../storage/postgres/database.ts";
import { sharedVersion } from "../../../storage/postgres/layout.ts";
import { Failure } from "../../../values/failure.ts";
import type { BatchStanding } from "../../redaction/redacting.ts";
import { batchStandingWords } from "../../redaction/redacting.ts";
import { textColumn } from "../../history/row.ts";
import { approvalsLayout } from "../approvals/schema.ts";
import { formerApprovals } from "../approvals/words.ts";
import { standingsSql } from "./redact-sql.ts";

/**
 * The standing of each submitted batch, by its id: whether personal data may be taken out of it.
 * @param before batches that were over before then count as over, milliseconds since 1970
 * @throws {Failure} setup
 */
export async function batchStandings(
  database: SharedDatabase,
  before: number,
): Promise<ReadonlyMap<string, BatchStanding>> {
  if ((await sharedVersion(database, approvalsLayout)) === undefined) return new Map();
  await refuseFormer(database);
  const batches = await database.read(standingsSql, [before, ""]);
  return new Map(
    batches.map((record) => {
      const standing = batchStandingWords.find((word) => word === record["standing"]);
      return [textColumn(record, "id"), standing ?? "open"];
    }),
  );
}

/**
 * Refuses decisions of an earlier version: they lack columns and lines of history that are looked for.
 * @throws {Failure} setup
 */
export async function refuseFormer(database: SharedDatabase): Promise<void> {
  const version = await sharedVersion(database, approvalsLayout);
  if (version === undefined || version === approvalsLayout.migrations.length) return;
  throw new Failure("setup", "The decisions of the shared journal are of an earlier version than this partner's.", {
    hint: "Have its owner upgrade them: partner journal migrate",
    reason: formerApprovals,
  });
}
