import { pageOpening, shown, termList } from "../../statements/formats/page.ts";
import { pageTable, tableStyle } from "../books/page-table.ts";
import type { CloseHead, CloseSection } from "./close-tables.ts";
import { verdictOf } from "./close-tables.ts";

/** The close as one self-contained page. Problems come first. */
export function closePage(head: CloseHead, sections: readonly CloseSection[]): string {
  const { title, profile, period, problems, accepted, changed, remarks } = head;
  const verdict = `<p class="verdict${problems.length === 0 ? "" : " wrong"}">${verdictOf(head)}</p>`;
  const facts = termList("facts", [
    ["Account", profile],
    ["Period", period],
  ]);
  return `${pageOpening({ title, kind: "Month end", heading: title, style: tableStyle })}
${verdict}
${lineList(problems)}${lineList(changed)}${lineList([...accepted, ...remarks])}${facts}
</header>
${sections.map((section) => `<h2>${shown(section.name)}</h2>\n${pageTable(section)}`).join("")}</body>
</html>
`;
}

function lineList(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `<ul>\n${lines.map((line) => `<li>${shown(line)}</li>`).join("\n")}\n</ul>\n`;
}
