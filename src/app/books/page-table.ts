import { headingOf } from "../../report/columns.ts";
import { textOf } from "../../report/cell.ts";
import type { Row } from "../../report/report.ts";
import { currencyOf, shownText } from "../../report/table/table-cell.ts";
import { shown } from "../../statements/formats/page.ts";
import type { Field } from "../../values/field.ts";

/** A table on a page. */
export interface PageTable {
  readonly columns: readonly Field[];
  readonly rows: readonly Row[];
  /** Shown in its place if it has no rows. */
  readonly whenEmpty: string;
}

/** A column with a longer text than this, in characters, is wrapped between words; all others stay whole. */
const wholeMaxChars = 24;
/** Tables have columns of many kinds: their layout stays on a phone, where they scroll sideways. */
export const tableStyle = `
.wide { overflow-x: auto; }
.wide td { white-space: nowrap; overflow-wrap: normal; }
.wide .words { white-space: normal; overflow-wrap: break-word; min-width: 14rem; }
@media screen and (max-width: 40rem) {
  .wide table { display: table; }
  .wide thead { display: table-header-group; }
  .wide tbody { display: table-row-group; }
  .wide tr { display: table-row; }
  .wide th, .wide td, .wide td:empty { display: table-cell; padding: 0.25rem 0.5rem; border-bottom: 1px solid var(--line); }
  .wide td::before { content: none; }
}
@media print { .wide { overflow: visible; font-size: 0.8em; } }
`;

/** The rows under their headings, amounts with the digits of their currency. */
export function pageTable({ columns, rows, whenEmpty }: PageTable): string {
  if (rows.length === 0) return `<p class="empty">${shown(whenEmpty)}</p>\n`;
  const head = columns.map((field) => cell("th", field.kind === "amount" ? "amount" : "", headingOf(field))).join("");
  const isLong = columns.map((field) => rows.some((row) => textOf(row[field.name]).length > wholeMaxChars));
  const body = rows.map((row) => {
    const currency = currencyOf(row);
    const cells = columns.map((field, index) => {
      const value = row[field.name];
      const text = field.kind === "amount" ? shownText(value, field, currency) : textOf(value);
      return cell("td", field.kind === "amount" ? "amount" : isLong[index] === true ? "words" : "", text);
    });
    return `<tr>${cells.join("")}</tr>\n`;
  });
  return `<div class="wide">\n<table>\n<thead>\n<tr>${head}</tr>\n</thead>\n<tbody>\n${body.join("")}</tbody>\n</table>\n</div>\n`;
}

function cell(tag: "th" | "td", kind: "amount" | "words" | "", text: string): string {
  return `<${tag}${kind === "" ? "" : ` class="${kind}"`}>${shown(text)}</${tag}>`;
}
