import { command } from "../app/command.ts";
import { rowFilter, whereFlag } from "../app/where.ts";
import { readingEndsIn } from "../cli/endings.ts";
import { anyText, option } from "../cli/line/input.ts";
import { listInstitutions } from "../contract/remittance.ts";
import type { RowsReport } from "../report/report.ts";
import { fieldsIn } from "../report/columns.ts";
import { textOf } from "../report/cell.ts";
import type { JsonObject } from "../values/json.ts";

export default command({
  summary: "List the banks and mobile operators that a remittance can go to (live only).",
  examples: ["institutions", "institutions --search airtel", "institutions --output csv --save institutions.csv"],
  args: {},
  flags: {
    search: option({ value: "TEXT", summary: "Only those that have TEXT in any field.", read: anyText }),
    ...whereFlag,
  },
  exits: readingEndsIn,
  async run({ flags }, { service, format }) {
    const filter = await rowFilter(flags.where, "fromRows");
    const institutions = await service.read(listInstitutions, {});
    const { search } = flags;
    // A script that reads the file finds the same columns, whatever was searched for.
    const isTabular = (format === "csv" || format === "table") && institutions.length > 0;
    const report: RowsReport = {
      shape: "rows",
      columns: isTabular ? fieldsIn(institutions, new Map()) : "fromRows",
      rows: search === undefined ? institutions : institutions.filter((institution) => holds(institution, search)),
      whenEmpty: search === undefined ? "The service lists no institutions." : "No institution has that text.",
    };
    return filter?.chosen(report) ?? report;
  },
});

function holds(institution: JsonObject, text: string): boolean {
  const wanted = text.toLowerCase();
  return Object.values(institution).some((value) => textOf(value).toLowerCase().includes(wanted));
}
