import type { ListenAddress } from "../../values/addresses/listen-address.ts";
import { parseListenAddress } from "../../values/addresses/listen-address.ts";
import { parseDuration } from "../../values/time/duration.ts";
import { Failure } from "../../values/failure.ts";
import { flagName } from "../../values/text/flag-name.ts";
import { batchFormFlags } from "../batch/flags.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import type { CheckFlags } from "../money/checks/check-flags.ts";
import { anyText, option, toggle } from "../../cli/line/input.ts";

/** Flags with which `batch run` sends batches that others have approved. */
export const approvedFlags = {
  approved: toggle({ summary: "Run what was submitted and approved in the shared journal.", group: "four eyes" }),
  follow: toggle({ summary: "Keep looking for what is approved, until Ctrl-C or TERM.", group: "four eyes" }),
  every: option({
    value: "1m",
    summary: "How long --follow waits if the database reports nothing new (default: 1m).",
    group: "four eyes",
    read: (text, name) => parseDuration(text, name, "1m"),
  }),
  metrics: option({
    value: "HOST:PORT",
    summary: "Serve figures for monitoring there while --follow runs: /metrics and /health.",
    group: "four eyes",
    read: parseListenAddress,
  }),
  signers: option({
    value: "FILE",
    summary: "Send only what keys of this allowed_signers file have signed, whatever the database says.",
    group: "four eyes",
    read: anyText,
  }),
} as const;

const everyDefaultMs = 60_000;
/** Flags about a file, which have no meaning for an approved batch. */
const ofFiles = [...Object.keys(batchFormFlags), "report", "dryRun"];

/** Which approved batches to run, and how. */
export interface ApprovedOptions extends CheckFlags {
  /** Undefined: all batches that are left. */
  readonly id: string | undefined;
  readonly yes: boolean;
  readonly concurrency: number;
  readonly allowsRepeats: boolean;
  /** The wait between two rounds; undefined for a single round. */
  readonly everyMs: number | undefined;
  /** Where figures for monitoring are served. */
  readonly metrics: ListenAddress | undefined;
  /** The path of an allowed_signers file. */
  readonly signers: string | undefined;
}

type Flags = FlagValues<typeof approvedFlags> &
  CheckFlags & {
    readonly yes: boolean;
    readonly allowRepeats: boolean;
    readonly concurrency: number | undefined;
  };

/**
 * Undefined for a run of a file.
 * @throws {Failure} usage
 */
export function approvedOptions(id: string | undefined, flags: Flags): ApprovedOptions | undefined {
  const { approved, follow, every, yes, allowRepeats: allowsRepeats, concurrency = 1, metrics, signers } = flags;
  const { again, checkStatement, checkDays } = flags;
  if (!approved && (follow || every !== undefined))
    throw new Failure("usage", `${follow ? "--follow" : "--every"} works only with --approved.`, {
      hint: "Add --approved, or leave it out.",
    });
  if (!approved && signers !== undefined)
    throw new Failure("usage", "--signers works only with --approved.", { hint: "Add --approved, or leave it out." });
  if (!approved) return undefined;
  if (every !== undefined && !follow)
    throw new Failure("usage", "--every works only with --follow.", { hint: "Add --follow, or leave it out." });
  if (metrics !== undefined && !follow)
    throw new Failure("usage", "--metrics works only with --follow.", { hint: "Add --follow, or leave it out." });
  if (follow && !yes)
    throw new Failure("usage", "--follow never asks; nothing was sent.", {
      hint: "Add --yes: what is approved is sent as soon as it is seen.",
      money: "not moved",
    });
  if (follow && id !== undefined)
    throw new Failure("usage", "--follow runs whatever is approved, and not one batch alone.", {
      hint: `Leave out --follow, or ${id}.`,
    });
  const given = ofFiles.flatMap((name) => {
    const value: unknown = Reflect.get(flags, name);
    return value === undefined || value === false ? [] : [`--${flagName(name)}`];
  });
  if (given.length > 0)
    throw new Failure(
      "usage",
      `With --approved a batch is run as it was approved; ${given.join(", ")} says otherwise.`,
      {
        hint: "Leave it out. What became of the rows: partner batch report ID --save FILE",
      },
    );
  const everyMs = follow ? (every ?? everyDefaultMs) : undefined;
  return { id, yes, allowsRepeats, concurrency, everyMs, metrics, signers, again, checkStatement, checkDays };
}
