import { join } from "node:path";
import * as z from "zod/mini";
import { readOwnFile } from "../../host/files/own-file.ts";
import type { Host } from "../../host/host.ts";
import type { HistoryPlace, RowCounts } from "../../journal/history/history.ts";
import { codeOf } from "../../host/system-error.ts";
import { stateFolder } from "../../profiles/folders.ts";

const folderMode = 0o700;
const fileMode = 0o600;
const fileMaxBytes = 1_048_576;
const notedMaxCount = 100;
const headForm = z.object({
  journal: z.string(),
  head: z.string(),
  previous: z.string(),
  place: z.object({ line: z.number(), event: z.number(), fact: z.number() }),
  rows: z.object({ movements: z.number(), events: z.number() }),
});
const fileForm = z.array(headForm);

/**
 * A head up to which a journal was verified on this machine. It is kept on this machine, for a shared journal as well.
 */
export interface NotedHead {
  /** The journal's id. */
  readonly journal: string;
  readonly head: string;
  /** The hash before the head's own line. */
  readonly previous: string;
  /** Before that line: it is read again, and has to lead to the head. */
  readonly place: HistoryPlace;
  readonly rows: RowCounts;
}

/** What this machine knows about a head; undefined where it knows nothing. */
export async function findHead(host: Host, journal: string, head: string): Promise<NotedHead | undefined> {
  return (await readHeads(host)).findLast((noted) => noted.journal === journal && noted.head === head);
}

/** Remembers a head; where that is not possible, the next verification reads more. */
export async function noteHead(host: Host, noted: NotedHead): Promise<void> {
  const others = (await readHeads(host)).filter(
    ({ journal, head }) => journal !== noted.journal || head !== noted.head,
  );
  try {
    await host.files.makeFolder(stateFolder(host), folderMode);
    const draft = await host.files.draft(pathIn(host), fileMode);
    try {
      await draft.write(JSON.stringify([...others, noted].slice(-notedMaxCount)));
      await draft.commit();
    } finally {
      await draft.abandon();
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

async function readHeads(host: Host): Promise<readonly NotedHead[]> {
  try {
    const bytes = await readOwnFile(host.files, pathIn(host), fileMaxBytes);
    return bytes === undefined ? [] : z.parse(fileForm, JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return [];
  }
}

function pathIn(host: Host): string {
  return join(stateFolder(host), "verified-heads.json");
}
