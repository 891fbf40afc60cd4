import { Day } from "../../values/time/day.ts";

/** The version that 0.1.0 wrote. */
export const earlierVersion = 1;

/** What 0.1.0 remembered of an export: its latest file, and the rows of the days that it would have read again. */
export interface EarlierState {
  readonly version: typeof earlierVersion;
  readonly now: EarlierFile;
  /** While the file was being replaced: what was there; null where there was nothing of ours. */
  readonly before: EarlierFile | null | undefined;
  readonly rows: readonly EarlierRow[];
}

export interface EarlierFile {
  readonly path: string;
  readonly sha256: string;
  /** The last day that was asked for. A fast clock may have moved it, so nothing relies on it. */
  readonly lastDay: string;
  /** The first day from which every row is remembered. */
  readonly keptFrom: string;
}

export interface EarlierRow {
  readonly day: string;
  readonly reference: string;
  readonly line: string;
  /** False where it was in the file before the latest run. */
  readonly isNew: boolean;
}

/** @returns undefined where it is damaged */
export function earlierState(head: Record<string, unknown>, values: readonly unknown[]): EarlierState | undefined {
  const { now, before } = head;
  if (!isFile(now) || (before !== undefined && before !== null && !isFile(before))) return undefined;
  const rows = values.map(rowOf);
  return rows.every((row) => row !== undefined) ? { version: earlierVersion, now, before, rows } : undefined;
}

function rowOf(value: unknown): EarlierRow | undefined {
  if (!Array.isArray(value)) return undefined;
  const [day, reference, line, isNew]: unknown[] = value;
  if (typeof day !== "string" || typeof reference !== "string" || typeof line !== "string") return undefined;
  return { day, reference, line, isNew: isNew === true };
}

function isFile(value: unknown): value is EarlierFile {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  const isText = (name: string) => typeof fields.get(name) === "string";
  const isDay = (name: string) => Day.parse(String(fields.get(name))) !== undefined;
  return ["path", "sha256"].every(isText) && ["lastDay", "keptFrom"].every(isDay);
}
