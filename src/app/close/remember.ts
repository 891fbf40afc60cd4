import type { ClosedAccount } from "../../close/closes.ts";
import { closeOf } from "../../close/closes.ts";
import { changesOf, reopenedMonths } from "../../close/late-rows.ts";
import type { Host } from "../../host/host.ts";
import type { Ledger, LedgerChange } from "../../ledger/ledger.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import { withLedger } from "../ledger/open.ts";
import type { Session } from "../session.ts";
import { keepClose, keptCloses } from "./closes-file.ts";

/** A month whose folder is written. */
export interface WrittenClose {
  readonly month: { readonly name: string; readonly scope: string };
  readonly accounts: readonly ClosedAccount[];
  /** What had changed since earlier closes, in words. */
  readonly changed: readonly string[];
  /** The changes that were known before the figures were read. */
  readonly changes: readonly LedgerChange[];
  readonly sha256: string;
  readonly proved: boolean;
  /** The folder, and where the one before it is now. */
  readonly path: string;
  readonly kept: string | undefined;
}

/**
 * Records a close, unless it is the same as the last one of its month and knows of no further changes.
 * @throws {Failure} setup | unavailable
 */
export async function remember(session: Session, closed: WrittenClose): Promise<void> {
  await withLedger(session, (ledger) => rememberIn(ledger, session.host, closed)).catch((error: unknown) => {
    throw error instanceof Failure ? unremembered(error, closed) : error;
  });
}

/** Without its folder in the message, a person would not know that it is there. */
function unremembered(cause: Failure, { path, kept }: WrittenClose): Failure {
  const { ending, message, hint = "", reason, details } = cause;
  const former = kept === undefined ? "" : ` The close that was there is now ${visible(kept)}.`;
  return new Failure(
    ending,
    `${message} ${visible(path)} was written, but the month is not remembered as closed.${former}`,
    { hint: `${hint} Then close the month again.`.trimStart(), reason, details, cause },
  );
}

async function rememberIn(ledger: Ledger, host: Host, closed: WrittenClose): Promise<void> {
  const { month, accounts, changes, changed, sha256, proved } = closed;
  const last = closeOf(await keptCloses(host, ledger), month.scope, month.name);
  if (last?.manifest === sha256 && reopenedMonths([last], changes).length === 0) return;
  const known = changesOf(month.name, changes);
  const lastChangeAt = known.at(-1)?.seenAt;
  const close = {
    scope: month.scope,
    month: month.name,
    closedAt: host.clock.now(),
    changes: known.length,
    ...(lastChangeAt === undefined ? {} : { lastChangeAt }),
    manifest: sha256,
    proved,
    accounts: [...accounts],
    ...(changed.length === 0 ? {} : { changed: [...changed] }),
  };
  await keepClose(host, ledger, close);
}
