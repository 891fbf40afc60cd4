import { readSubmitted } from "../../app/approvals/review.ts";
import { submittedRow } from "../../app/approvals/submitted-report.ts";
import { findSubmitted, withApprovals } from "../../app/approvals/submitted.ts";
import { batchIdArgument } from "../../app/batch/id-argument.ts";
import { command } from "../../app/command.ts";
import { rowFilter, whereFlag } from "../../app/where.ts";
import { option, wholeNumber } from "../../cli/line/input.ts";
import { describe } from "../../movements/batch/expectation.ts";
import type { DecodedRow } from "../../movements/look/decoded-row.ts";
import { decodedFields, fieldsOfRow } from "../../movements/look/decoded-row.ts";
import { listFormats } from "../../report/file-format.ts";
import type { Row, RowsReport } from "../../report/report.ts";
import type { JsonObject } from "../../values/json.ts";
import { counted } from "../../values/text/counted.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";

/** A row as a value inside another row. */
function objectOf(row: Row): JsonObject {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const pageRows = 50;
const pageMax = 100_000;

export default command({
  summary: "Show the orders of a submitted batch, as they will be sent.",
  description:
    "Each row is the order that the file asks for, with the names of the wallets. In JSON, batch, state, decisions and rows are one object. It needs no service and no credentials.",
  examples: [
    "batch show 0f3a9c52d41b7e86",
    "batch show 0f3a9c52d41b7e86 --page 2",
    "batch show 0f3a9c52d41b7e86 --json",
  ],
  args: { id: batchIdArgument },
  flags: {
    page: option({
      value: "N",
      summary: `Only rows of this page, of ${pageRows} each (default: all of them).`,
      read: wholeNumber(1, pageMax),
    }),
    ...whereFlag,
  },
  fileFormats: listFormats,
  exits: ["setup", "refused"],
  run: ({ args, flags: { page, where } }, session) =>
    withApprovals(session, async (approvals) => {
      const submitted = await findSubmitted(approvals, args.id);
      const all: Row[] = [];
      const { isRedacted } = submitted;
      const see = (row: DecodedRow) => void all.push(fieldsOfRow(row));
      const read = isRedacted ? undefined : await readSubmitted(approvals, submitted, session, see);
      const moved = read === undefined ? counted(submitted.rowCount, "redacted row") : describe(read.look.tally);
      const decisions = await approvals.decisions(submitted.id);
      const from = page === undefined ? 0 : (page - 1) * pageRows;
      const rows = page === undefined ? all : all.slice(from, from + pageRows);
      const next = from + rows.length < all.length ? `; the next: --page ${(page ?? 1) + 1}` : "";
      const { state, submittedBy } = submitted;
      const report: RowsReport = {
        shape: "rows",
        columns: decodedFields,
        rows,
        frame: {
          batch: objectOf(submittedRow(submitted)),
          state,
          decisions: decisions.map(({ decision, by, actingFor, at, reason, looked, signature }) => ({
            decision,
            by,
            actingFor: [...actingFor],
            at: isoDarEsSalaam(at),
            reason,
            looked,
            signature,
          })),
        },
        whenEmpty: isRedacted
          ? `Its rows were redacted. Its orders: partner journal list --batch ${submitted.id}`
          : "The batch has no such rows.",
        hasFooterWhenEmpty: isRedacted,
        footer: () => [
          `${moved}, ${state}, submitted by ${submittedBy}`,
          ...decisions.map(({ decision, by, at }) => `${decision} by ${by}, ${isoDarEsSalaam(at)}`),
          ...(page === undefined ? [] : [`rows ${from + 1} to ${from + rows.length} of ${all.length}${next}`]),
        ],
      };
      return (await rowFilter(where, decodedFields))?.chosen(report) ?? report;
    }),
});
