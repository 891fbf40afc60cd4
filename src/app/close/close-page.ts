import { headingOf } from "../../report/columns.ts";
import { textOf } from "../../report/cell.ts";
import { currencyOf, shownText } from "../../report/table/table-cell.ts";
import { pageOpening, shown, termList } from "../../statements/formats/page.ts";
import type { CloseHead, Section } from "./close-tables.ts";

/** A column with a longer text than this, in characters, is wrapped between words; all others stay whole. */
const wholeMaxChars = 24;
/** Its tables have columns of many kinds: none of them is broken, and on a phone they can be pushed aside. */
const style = `
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

/** The close as one page that needs nothing from anywhere. What to look at stands first. */
export function closePage({ title, profile, period, problems }: CloseHead, sections: readonly Section[]): string {
  const verdict =
    problems.length === 0
      ? `<p class="verdict">Every proof holds.</p>`
      : `<p class="verdict wrong">Not every proof holds.</p>\n<ul>\n${problems.map((line) => `<li>${shown(line)}</li>`).join("\n")}\n</ul>`;
  const facts = termList("facts", [
    ["Account", profile],
    ["Period", period],
  ]);
  return `${pageOpening({ title, kind: "Month end", heading: title, style })}
${verdict}
${facts}
</header>
${sections.map(sectionOf).join("")}</body>
</html>
`;
}

function sectionOf({ name, columns, rows, whenEmpty }: Section): string {
  if (rows.length === 0) return `<h2>${shown(name)}</h2>\n<p class="empty">${shown(whenEmpty)}</p>\n`;
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
  return `<h2>${shown(name)}</h2>\n<div class="wide">\n<table>\n<thead>\n<tr>${head}</tr>\n</thead>\n<tbody>\n${body.join("")}</tbody>\n</table>\n</div>\n`;
}

function cell(tag: "th" | "td", kind: "amount" | "words" | "", text: string): string {
  return `<${tag}${kind === "" ? "" : ` class="${kind}"`}>${shown(text)}</${tag}>`;
}
