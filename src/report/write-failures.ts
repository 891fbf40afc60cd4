import { codeOf, systemReason } from "../host/system-error.ts";
import { FileTooLarge, UnsyncedName } from "../host/files/files.ts";
import type { FailureDetails } from "../values/failure.ts";
import { Failure } from "../values/failure.ts";
import { visible } from "../values/text/text.ts";

/** Codes for a path that can't be used at all: the command line has to change. */
const wrongPath: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "EACCES",
  "EPERM",
  "EROFS",
  "ENAMETOOLONG",
  "ELOOP",
  "EINVAL",
]);

/** Codes for a pipe without a reader. */
const unread: ReadonlySet<string> = new Set(["ENXIO", "EPIPE"]);

/** What Windows says of a file that a program keeps to itself. */
const heldOpen: ReadonlySet<string> = new Set(["EBUSY", "EPERM"]);
const closeIt = "If a program such as Excel has it open, close it there.";

/** Turns a write error into a `Failure`; returns any other error unchanged. */
export type Explain = (error: unknown) => unknown;

/** A file that a person named and that could not be written. */
export class UnwrittenFile extends Failure {
  readonly path: string;

  constructor(path: string, ending: "usage" | "unavailable", message: string, details: FailureDetails) {
    super(ending, message, details);
    this.path = path;
  }
}

/** @param flag the flag that named the file */
export function explainSave(path: string, flag = "--save"): Explain {
  return (error) => {
    const code = codeOf(error) ?? "";
    const why = systemReason(error, "write");
    if (error instanceof UnsyncedName)
      return new UnwrittenFile(
        path,
        "unavailable",
        `${flag} ${visible(path)} was written, but not for certain: ${why}.`,
        {
          hint: "After a power loss, the file before it may be there again. Run this once more.",
          cause: error,
        },
      );
    const failure = (ending: "usage" | "unavailable", fate: string, hint: string) =>
      new UnwrittenFile(path, ending, `${flag} ${visible(path)} ${fate} be written: ${why}.`, { hint, cause: error });
    if (wrongPath.has(code)) {
      const held = heldOpen.has(code) ? ` ${closeIt}` : "";
      return failure("usage", "cannot", `Name a file in a folder that exists and that you may write to.${held}`);
    }
    if (unread.has(code))
      return failure("unavailable", "could not", "Start the program that reads from it, or name a file.");
    if (why === undefined) return error;
    const next = heldOpen.has(code) ? `${closeIt} Or` : "Make room or";
    return failure(
      "unavailable",
      "could not",
      `The file that was there is unchanged. ${next} name another file with ${flag}.`,
    );
  };
}

/** For files in our own folder, in which commands keep state between runs. */
export function explainState(path: string): Explain {
  return (error) => {
    const reason = error instanceof FileTooLarge ? "it is too large" : systemReason(error, "write");
    if (reason === undefined) return error;
    return new Failure("setup", `${visible(path)} cannot be used: ${reason}.`, {
      hint: "Make room and make it usable for this user, or name another folder with PARTNER_STATE_DIR.",
      cause: error,
    });
  };
}

export const explainSpool: Explain = (error) =>
  unavailable(
    error,
    "The result could not be stored in the temporary folder, and nothing was printed",
    "Make room there, set TMPDIR to a folder with room, or write to a file with --save FILE.",
  );

/** For what a run keeps in a temporary folder of its own. */
export const explainTemporary: Explain = (error) => {
  const why = systemReason(error, "write");
  if (why === undefined) return error;
  return new Failure("setup", `The temporary folder cannot be used: ${why}.`, {
    hint: "Set TMPDIR to a folder with room that you may write to, and try again.",
    cause: error,
  });
};

/** stdout is incomplete because a write failed, even if a signal came later. */
export class CutStdout extends Failure {}

export const explainStdout: Explain = (error) =>
  unavailable(
    error,
    "The result could not be written to the standard output completely",
    "What was written there is incomplete. Make room, or use --save FILE, which never leaves half a file.",
    CutStdout,
  );

/** Runs a step, and rethrows its error as `explain` returns it. */
export async function explained<T>(step: () => Promise<T>, explain: Explain): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw explain(error);
  }
}

function unavailable(error: unknown, message: string, hint: string, Kind = Failure): unknown {
  const reason = systemReason(error, "write");
  return reason === undefined ? error : new Kind("unavailable", `${message}: ${reason}.`, { hint, cause: error });
}
