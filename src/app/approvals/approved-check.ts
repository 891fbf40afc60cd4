import type { Journal } from "../../journal/journal.ts";
import { noSums } from "../../journal/spending.ts";
import { openBatchFile } from "../../movements/batch/batch-file.ts";
import type { BatchCheck } from "../../movements/batch/check.ts";
import { checkBatch } from "../../movements/batch/check.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import { formerRows } from "../../movements/batch/rows/former-rows.ts";
import type { WalletIndex } from "../../movements/batch/order-amount.ts";
import { batchLikeWindowMs } from "../../movements/batch/repeat-violations.ts";
import { refuseAccountSlip } from "../../movements/guards/repeats.ts";
import { stateFolder } from "../../profiles/folders.ts";
import { rowContextNow } from "../batch/sending.ts";
import { listsOf } from "../batch/service-lists.ts";
import { ignoringSignals } from "../batch/ignore-signals.ts";
import type { Session } from "../session.ts";

/** No limits: each row is checked against them when it is sent. */
const keptByRows = { profile: undefined, transferMax: undefined, dayMax: undefined, allowTo: undefined };

/**
 * Checks an approved batch again before it is sent, as a file is checked: against payments made since, and against the
 * service's wallets and institutions.
 * @param lines of the rows to send
 * @throws {Failure} setup | interrupted
 */
export async function checkApproved(
  { id, scope, path, form }: KeptBatch,
  lines: ReadonlySet<number>,
  { allowsRepeats, journal }: { readonly allowsRepeats: boolean; readonly journal: Journal },
  session: Session,
): Promise<BatchCheck & { readonly notes: readonly string[]; readonly wallets: WalletIndex }> {
  if (!allowsRepeats) refuseAccountSlip(await session.accountScope(), await journal.accounts(), "--allow-repeats");
  const notes: string[] = [];
  const { service } = await session.connection();
  const { likeWindowMs: windowMs = batchLikeWindowMs } = await session.account();
  const mayRemit = form.kind === "remit" || form.kind === undefined;
  const note = (line: string) => void notes.push(line);
  const rowContext = rowContextNow({ form }, session);
  const rowsOf = formerRows(session.host, stateFolder(session.host), { scope, today: rowContext.today });
  const lists = await listsOf(session, "briefly", { mayRemit, currenciesMatter: false, note });
  const check = await checkBatch(
    await openBatchFile(ignoringSignals(session.host), path, form),
    form,
    { count: undefined, totals: [] },
    {
      ...rowContext,
      journal,
      scope,
      windowMs,
      allowsRepeats,
      history: { isThisFile: (batch) => batch === id, rowsOf },
      approved: { id, lines },
      guards: keptByRows,
      limitDays: session.limitDays(),
      spent: noSums,
      takesRemittances: service.live,
      takesPayouts: service.extensions.has("payout"),
      ...lists,
    },
  );
  return { ...check, notes, wallets: lists.wallets };
}
