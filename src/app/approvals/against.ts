import { createHash } from "node:crypto";
import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { differencesFrom } from "../../movements/approved-batch.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import { Failure } from "../../values/failure.ts";
import { counted } from "../../values/text/counted.ts";
import { namePath } from "../../values/text/path-name.ts";
import { ignoringSignals } from "../batch/ignore-signals.ts";
import type { Session } from "../session.ts";

/** How many lines are named where a copy differs. */
const namedMaxLines = 20;

/**
 * Compares a batch with a person's own copy of its file, order by order, whatever the bytes.
 * @returns the digest of the orders of the copy
 * @throws {Failure} mismatch where they differ | usage where the copy can't be read
 */
export async function compareWithCopy(
  path: string,
  submitted: SubmittedBatch,
  kept: KeptBatch,
  session: Session,
): Promise<string> {
  const { orders, differences } = await differencesFrom(ignoringSignals(session.host), submitted, kept, path);
  if (differences.length === 0) return createHash("sha256").update(orders).digest("hex");
  const more = differences.length - namedMaxLines;
  throw new Failure("mismatch", `Batch ${submitted.id} is not what ${namePath(path)} says; nothing was decided.`, {
    hint: `Look at both: partner batch show ${submitted.id}`,
    money: "not moved",
    details: Object.fromEntries([
      ...differences.slice(0, namedMaxLines).map(({ name, words }) => [name, words]),
      ...(more > 0 ? [["more", `${counted(more, "more order")} ${more === 1 ? "differs" : "differ"}`]] : []),
    ]),
  });
}
