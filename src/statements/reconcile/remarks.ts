import type { ResultRow } from "./result/result.ts";

/** Remarks of rules, people and earlier months about single rows and entries. */
export class Remarks {
  readonly #ofRow = new Map<number, string[]>();
  readonly #ofEntry = new Map<number, string[]>();

  onRow(row: number, remark: string): void {
    this.#ofRow.set(row, [...(this.#ofRow.get(row) ?? []), remark]);
  }

  onEntry(entry: number, remark: string): void {
    this.#ofEntry.set(entry, [...(this.#ofEntry.get(entry) ?? []), remark]);
  }

  get isEmpty(): boolean {
    return this.#ofRow.size === 0 && this.#ofEntry.size === 0;
  }

  /** All remarks on a finding, each once. */
  of({ row, entry, rows, entries }: ResultRow): readonly string[] {
    if (this.isEmpty) return [];
    const said = [
      ...(rows ?? (row === undefined ? [] : [row])).flatMap((one) => this.#ofRow.get(one) ?? []),
      ...(entries ?? (entry === undefined ? [] : [entry])).flatMap((one) => this.#ofEntry.get(one) ?? []),
    ];
    return [...new Set(said)];
  }
}
