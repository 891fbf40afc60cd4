import type { SheetHost } from "../../../sheets/blocks.ts";
import { openSheet } from "../../../sheets/sheet.ts";
import { Decimal } from "../../../values/money/decimal.ts";
import { Failure } from "../../../values/failure.ts";
import { quote, visible } from "../../../values/text/text.ts";
import type { Decision } from "./decisions.ts";
import { Decisions } from "./decisions.ts";

/** How many faults are listed. */
const listedMaxCount = 50;
const required = ["statementRow", "bookLine", "decision"];

/**
 * The decisions in a CSV file; rows without one are left out.
 * @throws {Failure} usage: a file that cannot be read, and every cell that cannot be used, with line and column
 */
export async function readDecisions(host: SheetHost, path: string): Promise<Decisions> {
  const sheet = await openSheet(host, path, { required, advice: "--exceptions FILE.csv writes a file to fill in." });
  const faults: [string, string][] = [];
  const decisions: Decision[] = [];
  for await (const rows of sheet.rows)
    for (const { line, cells } of rows) {
      const cell = (name: string) => cells[sheet.header.indexOf(name)]?.trim() ?? "";
      if (cell("decision") === "") continue;
      const read = readRow(line, cell, (name, problem) => faults.push([`line ${line}, ${name}`, problem]));
      if (read !== undefined) decisions.push(read);
    }
  if (faults.length === 0) return new Decisions(decisions);
  throw new Failure("usage", `${visible(path)} has decisions that cannot be used; none was applied.`, {
    hint: "A decision is match or ignore; statementRow and bookLine are numbers as reconcile shows them.",
    details: Object.fromEntries(faults.slice(0, listedMaxCount)),
  });
}

type ReportViolation = (name: string, problem: string) => void;

function readRow(line: number, cell: (name: string) => string, reportViolation: ReportViolation): Decision | undefined {
  const word = cell("decision").toLowerCase();
  const decision = word === "match" || word === "ignore" ? word : undefined;
  if (decision === undefined) reportViolation("decision", `${quote(cell("decision"))} is neither match nor ignore`);
  const number = (name: string) => {
    const text = cell(name);
    if (text === "" || /^[1-9]\d{0,9}$/.test(text)) return text === "" ? undefined : Number(text);
    reportViolation(name, `${quote(text)} is not the number of a row`);
    return undefined;
  };
  const [statementRow, bookLine] = [number("statementRow"), number("bookLine")];
  if (cell("statementRow") === "" && cell("bookLine") === "")
    reportViolation("statementRow", "neither it nor bookLine says which row is meant");
  if (decision === undefined) return undefined;
  const amount = (name: string) => Decimal.parse(cell(name));
  return {
    line,
    statementRow,
    bookLine,
    decision,
    by: cell("by"),
    note: cell("note"),
    statementAmount: amount("statementAmount"),
    bookAmount: amount("bookAmount"),
    reference: cell("reference"),
    date: cell("date"),
  };
}
