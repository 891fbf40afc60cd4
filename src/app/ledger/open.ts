import { join } from "node:path";
import type { Ledger } from "../../ledger/ledger.ts";
import type { LedgerWriter } from "../../ledger/writer.ts";
import { stateFolder } from "../../profiles/folders.ts";
import { explainState } from "../../report/write-failures.ts";
import { interruption } from "../../values/failure.ts";
import { sharedChoice } from "../journal/choice.ts";
import type { Session } from "../session.ts";

/** How long one attempt at the lock waits; between two attempts a signal ends the waiting. */
const lockTurnMs = 500;
const lockStaleMs = 30_000;

/**
 * Opens the ledger while `use` reads it: in the shared database where the journal is shared, else this user's own file.
 * Where none exists, it is empty.
 * @throws {Failure} setup | unavailable
 */
export async function withLedger<T>(session: Session, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await openLedger(session);
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

async function openLedger({ host, journalChoice }: Session): Promise<Ledger> {
  const shared = await sharedChoice(journalChoice);
  if (shared !== undefined) return (await import("../../ledger/postgres/open.ts")).openSharedLedger(host, shared);
  return (await import("../../ledger/sqlite/open.ts")).openLedger(host, stateFolder(host));
}

/**
 * The same for writing; creates a missing ledger. One writer works at a time, and others wait for it.
 * @throws {Failure} setup | unavailable | interrupted
 */
export async function withLedgerWriter<T>(session: Session, use: (writer: LedgerWriter) => Promise<T>): Promise<T> {
  const shared = await sharedChoice(session.journalChoice);
  if (shared === undefined) return withLocalWriter(session, use);
  const { openSharedLedgerWriter } = await import("../../ledger/postgres/open.ts");
  const writer = await openSharedLedgerWriter(session.host, shared);
  try {
    return await use(writer);
  } finally {
    await writer.close();
  }
}

async function withLocalWriter<T>(session: Session, use: (writer: LedgerWriter) => Promise<T>): Promise<T> {
  const { openLedgerWriter } = await import("../../ledger/sqlite/open.ts");
  const folder = stateFolder(session.host);
  // Checks what is there before creating anything.
  const writer = await openLedgerWriter(session.host, folder);
  try {
    const release = await lockLedger(session, folder);
    try {
      return await use(writer);
    } finally {
      await release();
    }
  } finally {
    await writer.close();
  }
}

async function lockLedger({ host }: Session, folder: string): Promise<() => Promise<void>> {
  const path = join(folder, "ledger.lock");
  for (;;) {
    if (host.signal.aborted) throw interruption(host.signal);
    try {
      return await host.files.lock(path, { waitMs: lockTurnMs, staleMs: lockStaleMs });
    } catch (error) {
      if (error instanceof Error && "code" in error) throw explainState(path)(error);
    }
  }
}
