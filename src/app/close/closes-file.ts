import { join } from "node:path";
import type { ClosedMonth, Closes } from "../../close/closes.ts";
import { closedMonth, closesSchema } from "../../close/closes.ts";
import type { Host } from "../../host/host.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { makeFolder, stateFolder } from "../../profiles/folders.ts";
import { readJsonFile } from "../../profiles/settings/json-file.ts";
import { fileFailure } from "../../profiles/settings/file-failures.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";

/** Balances are private: only this user may read the file. */
const fileMode = 0o600;
/** Decades of many profiles with many accounts. */
const fileMaxBytes = 256 * 1024 * 1024;
const folderVariable = "PARTNER_STATE_DIR";
const lockWaitMs = 10_000;
const lockStaleMs = 30_000;

/**
 * The closes of this user, followed by those of all hosts that share the ledger. They are in the order in which they
 * were made, since the clocks of hosts differ.
 * @throws {Failure} setup where they are damaged, newer, or can't be read | unavailable
 */
export async function readCloses(host: Host, ledger: Pick<Ledger, "closes">): Promise<Closes> {
  const own = await ownCloses(host);
  return ledger.closes === undefined
    ? own
    : { ...own, closes: [...own.closes, ...(await sharedCloses(ledger.closes))] };
}

/**
 * The closes to which one more is added. Where the ledger is shared, these are the shared ones alone: other hosts do
 * not know what was closed before.
 * @throws {Failure} setup where they are damaged, newer, or can't be read | unavailable
 */
export async function keptCloses(host: Host, ledger: Pick<Ledger, "closes">): Promise<Closes> {
  return ledger.closes === undefined ? ownCloses(host) : { version: 1, closes: await sharedCloses(ledger.closes) };
}

async function ownCloses(host: Host): Promise<Closes> {
  const terms = { maxBytes: fileMaxBytes, variable: folderVariable };
  return (await readJsonFile(host, closesPath(host), closesSchema, terms)) ?? { version: 1, closes: [] };
}

async function sharedCloses(of: NonNullable<Ledger["closes"]>): Promise<ClosedMonth[]> {
  return (await of.read()).map(closeIn);
}

/**
 * Records a close, for all hosts where they share the ledger.
 * @throws {Failure} setup | unavailable
 */
export async function keepClose(host: Host, ledger: Pick<Ledger, "closes">, close: ClosedMonth): Promise<void> {
  if (ledger.closes !== undefined) return ledger.closes.keep(JSON.stringify(close));
  await makeFolder(host, stateFolder(host), "state");
  const release = await lockCloses(host);
  try {
    const closes = await ownCloses(host);
    await writeCloses(host, { ...closes, closes: [...closes.closes, close] });
  } finally {
    await release();
  }
}

/** Without a lock, one of two closes at once would overwrite the record of the other. */
async function lockCloses(host: Host): Promise<() => Promise<void>> {
  const path = closesPath(host);
  try {
    return await host.files.lock(`${path}.lock`, { waitMs: lockWaitMs, staleMs: lockStaleMs });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause) throw fileFailure("write", path, cause, folderVariable);
    throw new Failure("unavailable", "Another close is being recorded right now.", {
      hint: `Wait until that one has ended. If there is none, remove ${namePath(`${path}.lock`)}.`,
      cause,
    });
  }
}

/** @throws {Failure} setup */
function closeIn(content: string): ClosedMonth {
  try {
    return closedMonth.parse(JSON.parse(content));
  } catch (error) {
    throw new Failure("setup", "A closed month in the shared ledger is damaged, or of a later version.", {
      hint: "Use the newest version of partner, or restore the database from a backup.",
      cause: error,
    });
  }
}

async function writeCloses(host: Host, closes: Closes): Promise<void> {
  const path = closesPath(host);
  try {
    const draft = await host.files.draft(path, fileMode);
    try {
      await draft.write(`${JSON.stringify(closes, undefined, 2)}\n`);
      await draft.commit();
    } finally {
      await draft.abandon();
    }
  } catch (error) {
    throw fileFailure("write", path, error, folderVariable);
  }
}

function closesPath(host: Host): string {
  return join(stateFolder(host), "closes.json");
}
