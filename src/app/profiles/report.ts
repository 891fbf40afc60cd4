import type { EditOutcome } from "../../profiles/edit.ts";
import type { RecordReport } from "../../report/report.ts";

/** The result of a change of the profiles. */
export function editReport({ name, isCurrent, notes }: EditOutcome): RecordReport {
  return {
    shape: "record",
    columns: [
      { name: "name", kind: "id", title: "profile" },
      { name: "current", kind: "flag" },
    ],
    record: { name, current: isCurrent },
    findings: () => ({ notes }),
  };
}
