import { headingOf } from "../../report/columns.ts";
import { textOf } from "../../report/cell.ts";
import { currencyOf, shownText } from "../../report/table/table-cell.ts";
import { pageOpening, shown, termList } from "../../statements/formats/page.ts";
import type { CloseHead, Section } from "./close-tables.ts";

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
  return `${pageOpening({ title, kind: "Month end", heading: title })}
${verdict}
${facts}
</header>
${sections.map(sectionOf).join("")}</body>
</html>
`;
}

function sectionOf({ name, columns, rows, whenEmpty }: Section): string {
  if (rows.length === 0) return `<h2>${shown(name)}</h2>\n<p class="empty">${shown(whenEmpty)}</p>\n`;
  const head = columns.map((field) => cell("th", field.kind === "amount", headingOf(field))).join("");
  const body = rows.map((row) => {
    const currency = currencyOf(row);
    const cells = columns.map((field) => {
      const value = row[field.name];
      const text = field.kind === "amount" ? shownText(value, field, currency) : textOf(value);
      return cell("td", field.kind === "amount", text);
    });
    return `<tr>${cells.join("")}</tr>\n`;
  });
  return `<h2>${shown(name)}</h2>\n<table>\n<thead>\n<tr>${head}</tr>\n</thead>\n<tbody>\n${body.join("")}</tbody>\n</table>\n`;
}

function cell(tag: "th" | "td", isAmount: boolean, text: string): string {
  return `<${tag}${isAmount ? ' class="amount"' : ""}>${shown(text)}</${tag}>`;
}
