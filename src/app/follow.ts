import { option, toggle } from "../cli/line/input.ts";
import { writeOutput } from "../cli/output.ts";
import type { RowsReport } from "../report/report.ts";
import { Failure } from "../values/failure.ts";
import { parseDuration } from "../values/time/duration.ts";
import type { Session } from "./session.ts";

const defaultEveryMs = 10_000;
const everyMinMs = 1_000;

/** The flags of lists that can go on. */
export const followFlags = {
  follow: toggle({ summary: "Keep printing new rows as they come, until Ctrl-C.", group: "follow" }),
  every: option({
    value: "10s",
    summary: "How long --follow waits between two looks; the default is 10s.",
    group: "follow",
    read: parseEvery,
  }),
} as const;

export interface FollowFlags {
  readonly follow: boolean;
  readonly every?: number | undefined;
}

/**
 * Prints the rows of a first look, and then the new rows of each later look, until a signal ends it without a failure.
 * A later look that fails is noted and repeated.
 * @param look returns the rows that no earlier look returned
 * @throws {Failure} usage | whatever the first look throws
 */
export async function followRows(
  { every = defaultEveryMs }: FollowFlags,
  session: Session,
  look: () => Promise<RowsReport>,
): Promise<void> {
  const { host, result } = session;
  let isFirst = true;
  while (!host.signal.aborted) {
    try {
      const report = await look();
      const isEmpty = Array.isArray(report.rows) && report.rows.length === 0;
      if (isFirst || !isEmpty) await writeOutput(report, { ...result, header: result.header && isFirst }, host);
      isFirst = false;
    } catch (error) {
      if (host.signal.aborted) return;
      if (isFirst || !(error instanceof Failure) || error.ending !== "unavailable") throw error;
      await session.note(`${error.message} Looking again.`);
    }
    // A signal that ends the wait ends the run, without a failure.
    await host.clock.sleep(every, host.signal).catch(() => undefined);
  }
}

/**
 * Output without an end can't be written as a file or an array.
 * @throws {Failure} usage
 */
export function checkFollow({ follow, every }: FollowFlags, { result, format }: Session): void {
  if (!follow && every !== undefined)
    throw new Failure("usage", "--every works only with --follow.", { hint: "Add --follow, or leave --every out." });
  if (!follow) return;
  if (result.save !== undefined || result.file !== undefined)
    throw new Failure("usage", "--follow never ends, so a file would never be complete.", {
      hint: "Send them into one: --follow --output ndjson >> rows.ndjson",
    });
  if (format === "json" || result.sort !== undefined)
    throw new Failure(
      "usage",
      `--follow prints each row as it comes, which ${format === "json" ? "json" : "--sort"} does not allow.`,
      {
        hint: "Use --output ndjson, csv or table, without --sort.",
      },
    );
}

function parseEvery(text: string, field: string): number {
  const ms = parseDuration(text, field, "10s");
  if (ms >= everyMinMs) return ms;
  throw new Failure("usage", `${field} is at least 1s.`, { hint: `For example: ${field} 10s` });
}
