import { pageOpening, shown, termList } from "../../statements/formats/page.ts";
import { pageTable, tableStyle } from "../books/page-table.ts";
import type { CloseHead, Section } from "./close-tables.ts";

/** The close as one self-contained page. Problems come first. */
export function closePage({ title, profile, period, problems }: CloseHead, sections: readonly Section[]): string {
  const verdict =
    problems.length === 0
      ? `<p class="verdict">Every proof holds.</p>`
      : `<p class="verdict wrong">Not every proof holds.</p>\n<ul>\n${problems.map((line) => `<li>${shown(line)}</li>`).join("\n")}\n</ul>`;
  const facts = termList("facts", [
    ["Account", profile],
    ["Period", period],
  ]);
  return `${pageOpening({ title, kind: "Month end", heading: title, style: tableStyle })}
${verdict}
${facts}
</header>
${sections.map((section) => `<h2>${shown(section.name)}</h2>\n${pageTable(section)}`).join("")}</body>
</html>
`;
}
