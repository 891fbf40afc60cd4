import { createHash } from "node:crypto";
import type { FileDraft, Files } from "../../host/files/files.ts";
import { isGone } from "../../host/files/gone.ts";
import { explained, explainSave } from "../../report/write-failures.ts";
import { counted } from "../../values/text/counted.ts";
import { quotePath } from "../../values/text/text.ts";
import { fileHash, movedFile, notAsLeft, pathOf, shownPath } from "./export-files.ts";
import type { ExportRequest } from "./export-request.ts";
import type { ExportedFile, ExportState, PendingRow, Replaced } from "./export-state.ts";
import type { ExportRow } from "./packed-rows.ts";
import { writeState } from "./export-state.ts";

/** Lines that are written in one go. */
const sliceLines = 1000;

/** Rows to add to a file. */
interface FileWrite {
  readonly path: string;
  readonly replaces: Replaced;
  readonly lines: readonly string[];
}

/** What an export adds to its files. */
export interface Addition {
  readonly state: ExportState;
  /** The rows of the state to add, in the order of their files. */
  readonly newRows: readonly ExportRow[];
  /** Files to rewrite although they get no row. */
  readonly emptied: readonly string[];
}

/**
 * Adds rows to the files of their days. All new files are written beside the old ones, then the state records how each
 * file was and will be, then they replace the old ones: the next run can complete an interrupted one.
 * @throws {Failure} mismatch: a file is not as it was left | usage | unavailable | setup
 */
export async function addRows(request: ExportRequest, addition: Addition, files: Files): Promise<void> {
  const { state, writes, places } = await planWrites(request, addition, files);
  const drafts: { readonly commit: () => Promise<void>; readonly draft: FileDraft }[] = [];
  try {
    const written: ExportedFile[] = [];
    for (const write of writes) {
      const { draft, sha256 } = await draftOf(request, write, files);
      drafts.push({
        draft,
        commit: () => explained(() => draft.commit(), explainSave(shownPath(request, write.path))),
      });
      written.push({ path: write.path, sha256, replaces: write.replaces });
    }
    const isWritten = new Set(written.map(({ path }) => path));
    const all = [...written, ...state.files.filter(({ path }) => !isWritten.has(path))];
    if (writes.length > 0) await writeState(files, request.memoryPath, { ...state, files: all, pending: places });
    for (const { commit } of drafts) await commit();
    await writeState(files, request.memoryPath, { ...state, files: all.map(withoutReplaced) });
  } finally {
    for (const { draft } of drafts) await draft.abandon();
  }
  for (const { path, lines, replaces } of writes)
    await request.note(
      `${counted(lines.length, "new row")} ${replaces.isKept ? "appended to" : "in"} ${quotePath(shownPath(request, path))}.`,
    );
}

/**
 * Adds to files the rows that an interrupted run recorded but did not write.
 * @returns the same state with nothing pending
 * @throws {Failure} mismatch: a file is neither as it was nor as it would have become
 */
export async function completeFiles(request: ExportRequest, state: ExportState, files: Files): Promise<ExportState> {
  if (state.files.every(({ replaces }) => replaces === undefined)) return state;
  for (const [index, file] of state.files.entries()) {
    const { path, sha256, replaces } = file;
    if (replaces === undefined) continue;
    const found = (await fileHash(files, path)) ?? null;
    if (found === sha256) continue;
    if (found !== replaces.sha256)
      throw notAsLeft(shownPath(request, path), found === null ? "it was deleted or moved" : "it was edited since");
    const { draft, sha256: made } = await draftOf(
      request,
      { path, replaces, lines: linesOf(index, state.pending) },
      files,
    );
    try {
      if (made !== sha256)
        throw notAsLeft(shownPath(request, path), "what the last run was to write is no longer the same");
      await explained(() => draft.commit(), explainSave(shownPath(request, path)));
    } finally {
      await draft.abandon();
    }
    await request.note(`The last run was cut short; its rows are in ${quotePath(shownPath(request, path))} now.`);
  }
  const completed = { ...state, pending: new Map(), files: state.files.map(withoutReplaced) };
  await writeState(files, request.memoryPath, completed);
  return completed;
}

function linesOf(file: number, pending: ExportState["pending"]): string[] {
  return [...pending]
    .filter(([, where]) => where.file === file)
    .sort(([, one], [, other]) => one.place - other.place)
    .map(([{ line }]) => line);
}

function withoutReplaced({ path, sha256 }: ExportedFile): ExportedFile {
  return { path, sha256 };
}

async function planWrites(request: ExportRequest, { state, newRows, emptied }: Addition, files: Files) {
  const linesByPath = new Map<string, string[]>(emptied.map((path) => [path, []]));
  const places = new Map<ExportRow, PendingRow>();
  const pathsByDay = new Map<string, string>();
  for (const row of newRows) {
    const path = pathsByDay.get(row.day) ?? pathOf(request, row.day);
    pathsByDay.set(row.day, path);
    const lines = linesByPath.get(path) ?? [];
    linesByPath.set(path, lines);
    lines.push(row.line);
    places.set(row, { file: [...linesByPath.keys()].indexOf(path), place: lines.length });
  }
  let remembered = state.files;
  const writes: FileWrite[] = [];
  for (const [path, lines] of linesByPath) {
    const sha256 = (await fileHash(files, path)) ?? null;
    if (!request.restart && !remembered.some((file) => file.path === path))
      remembered = await movedFile(request, path, remembered, files);
    const file = remembered.find((one) => one.path === path);
    if (file !== undefined && file.sha256 !== sha256)
      throw notAsLeft(
        shownPath(request, path),
        sha256 === null ? "it was deleted or moved" : "it was edited since",
        lines.length,
      );
    writes.push({ path, lines, replaces: { sha256, isKept: file !== undefined } });
  }
  return { state: { ...state, files: remembered }, writes, places };
}

/** The new file beside the old one: the old one's bytes, and the new rows. */
async function draftOf(request: ExportRequest, { path, replaces, lines }: FileWrite, files: Files) {
  const explain = explainSave(shownPath(request, path));
  const draft = await explained(() => files.draft(path, "kept"), explain);
  const hash = createHash("sha256");
  const write = async (bytes: Uint8Array | string) => {
    hash.update(bytes);
    await explained(() => draft.write(bytes), explain);
  };
  try {
    if (replaces.isKept) for await (const bytes of files.chunks(path)) await write(bytes);
    else await write(await request.renderer().head());
    for (let at = 0; at < lines.length; at += sliceLines) await write(lines.slice(at, at + sliceLines).join(""));
  } catch (error) {
    await draft.abandon();
    if (!replaces.isKept || !(await isGone(files, path, error))) throw error;
    throw notAsLeft(shownPath(request, path), "it was deleted or moved", lines.length);
  }
  return { draft, sha256: hash.digest("hex") };
}
