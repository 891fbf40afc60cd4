import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import type { HistoryLine } from "./history.ts";
import { sha256 } from "../requests/request-hash.ts";

/** The cells of a line of history that its hash covers, in this order. */
export const sealedNames = [
  "number",
  "at",
  "id",
  "kind",
  "reference",
  "scope",
  "step",
  "from",
  "to",
  "requestId",
  "evidence",
  "note",
  "request",
  "replaced",
  "user",
  "host",
  "version",
] as const;

/** The hash before the first line. */
export const chainStart = "0".repeat(64);

/**
 * The hash of a line: SHA-256 of the JSON list of the hash before and the line's cells, as text; a missing cell is
 * empty.
 */
export function hashLine(previous: string, cell: (name: string) => string): string {
  return sha256(JSON.stringify([previous, ...sealedNames.map((name) => cell(name))]));
}

/** The cells of a line by name, as its hash covers them. */
export function cellsOf({ number, event, id, kind, reference, scope, request }: HistoryLine) {
  const { at, step, from, to, requestId, evidence, note, replaced, who } = event;
  const said = { id, kind, reference, scope, step, from, to, requestId, evidence, note, request, replaced, ...who };
  const cells: Readonly<Record<string, string | null>> = { ...said, number: String(number), at: isoDarEsSalaam(at) };
  return cells;
}

/** The hash of a line's present content. */
export function hashOfLine(previous: string, line: HistoryLine): string {
  const cells = cellsOf(line);
  return hashLine(previous, (name) => cells[name] ?? "");
}
