import type { RowTexts } from "../rows/row-texts.ts";
import { noTexts } from "../rows/row-texts.ts";
import type { BookForm } from "./book-columns.ts";

/** The usual names of columns with the text of a row and the other party, where none is set. */
const narrationNames = ["narration", "description", "details", "particulars", "memo"];
const counterpartyNames = ["counterparty", "payee", "customer", "supplier", "party"];

/** The columns of a book's texts; -1 for none. */
export interface TextColumns {
  readonly narration: number;
  readonly counterparty: number;
}

/** The columns that were named, else those with a usual name that nothing else is read from. */
export function textColumns(header: readonly string[], form: BookForm): TextColumns {
  const used = new Set<string | undefined>([
    form.reference,
    form.amount,
    form.debit,
    form.credit,
    form.date,
    form.direction,
  ]);
  const indexOf = (named: string | undefined, names: readonly string[]) => {
    if (named !== undefined) return header.indexOf(named);
    const known = names.find((name) => header.some((column) => column.trim().toLowerCase() === name));
    const at = header.findIndex((column) => column.trim().toLowerCase() === known);
    return used.has(header[at]) ? -1 : at;
  };
  return {
    narration: indexOf(form.narration, narrationNames),
    counterparty: indexOf(form.counterparty, counterpartyNames),
  };
}

export function textsIn(cells: readonly string[], { narration, counterparty }: TextColumns): RowTexts {
  if (narration < 0 && counterparty < 0) return noTexts;
  return { narration: cells[narration]?.trim() ?? "", counterparty: cells[counterparty]?.trim() ?? "" };
}
