import type { EditOutcome } from "../../profiles/edit.ts";
import type { RecordReport } from "../../report/report.ts";

/** What a change of the profiles did. */
export function edited({ name, isCurrent, notes }: EditOutcome): RecordReport {
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
