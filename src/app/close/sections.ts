import { Numeral } from "../../values/json.ts";
import {
  cashColumns,
  cashRow,
  feeRow,
  feesColumns,
  flowColumns,
  flowRow,
  openColumns,
  openItemRow,
} from "../books/columns.ts";
import type { ReconciledFile, StatementFile } from "./close-files.ts";
import type { CloseSection } from "./close-tables.ts";
import type { MonthFindings } from "./findings.ts";

/** The parts of a close, in the order in which they are read. */
export function sectionsOf(
  { cash, flow, fees, open }: MonthFindings,
  statements: readonly StatementFile[],
  reconciled: readonly ReconciledFile[],
): readonly CloseSection[] {
  return [
    { name: "Cash", columns: cashColumns, rows: cash.map(cashRow), whenEmpty: "No account." },
    { name: "Movements", columns: flowColumns, rows: flow.map(flowRow), whenEmpty: "Nothing moved." },
    { name: "Fees", columns: feesColumns, rows: fees.map(feeRow), whenEmpty: "There were no fees." },
    {
      name: "Reconciliations",
      columns: [
        { name: "account", kind: "id", role: "who" },
        { name: "agrees", kind: "flag", role: "state" },
        { name: "file", kind: "text", role: "detail" },
        { name: "note", kind: "text", role: "what" },
      ],
      rows: reconciled.map(({ account, path, problem }) => ({
        account: account.accountNo,
        agrees: problem === undefined,
        file: path ?? null,
        note: problem ?? "",
      })),
      whenEmpty: "The profile names no book (book.path).",
    },
    { name: "Open items", columns: openColumns, rows: open.map(openItemRow), whenEmpty: "Nothing is open." },
    {
      name: "Sources",
      columns: [
        { name: "account", kind: "id", role: "who" },
        { name: "kind", kind: "id", role: "what" },
        { name: "file", kind: "text", role: "what" },
        { name: "bytes", kind: "count", role: "detail" },
        { name: "sha256", kind: "id", role: "detail" },
      ],
      rows: statements.map(({ account, path, bytes, sha256 }) => ({
        account: account.accountNo,
        kind: account.kind,
        file: path,
        bytes: Numeral.of(bytes),
        sha256,
      })),
      whenEmpty: "No account.",
    },
  ];
}
