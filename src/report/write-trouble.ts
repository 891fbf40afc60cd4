import { Failure } from "../values/failure.ts";
import { visible } from "../values/text.ts";

/** What the file system says of a path that cannot be used at all: the command line has to change. */
const wrongPath = new Map([
  ["ENOENT", "its folder does not exist"],
  ["ENOTDIR", "a part of its path is a file, not a folder"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "its folder may not be written to"],
  ["EPERM", "writing there is not permitted"],
  ["EROFS", "it is on a file system that can only be read"],
  ["ENAMETOOLONG", "its name is too long"],
  ["ELOOP", "its links lead in a circle"],
  ["EINVAL", "its name cannot be used here"],
]);

/** What it says of a disk: the same command can work another time. */
const disk = new Map([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "your share of the disk is used up"],
  ["EFBIG", "the file would be larger than this system allows"],
  ["EIO", "the disk reports a fault"],
  ["EBUSY", "another program is using it"],
  ["ETXTBSY", "another program is using it"],
  ["EMFILE", "too many files are open"],
  ["ENFILE", "too many files are open"],
]);

/** What it says of a pipe whose reader is not there, or no longer. */
const unread = new Map([
  ["ENXIO", "no program reads from it"],
  ["EPIPE", "the program that read from it has ended"],
]);

/** Turns what went wrong while writing into a Failure; what is not the file system's trouble stays what it is. */
export type Explain = (error: unknown) => unknown;

/** @param flag what named the file */
export function explainSave(path: string, flag = "--save"): Explain {
  return (error) => {
    const code = codeOf(error);
    const wrong = wrongPath.get(code);
    if (wrong !== undefined) {
      return new Failure("usage", `${flag} ${visible(path)} cannot be written: ${wrong}.`, {
        hint: "Name a file in a folder that exists and that you may write to.",
        cause: error,
      });
    }
    const alone = unread.get(code);
    if (alone !== undefined) {
      return new Failure("unavailable", `${flag} ${visible(path)} could not be written: ${alone}.`, {
        hint: "Start the program that reads from it, or name a file.",
        cause: error,
      });
    }
    const hint = `The file that stood there is as it was. Make room or name another file with ${flag}.`;
    return unavailable(error, `${flag} ${visible(path)} could not be written`, hint);
  };
}

/** What a command remembers between its runs, in our own folder. */
export function explainState(path: string): Explain {
  return (error) => {
    const trouble = disk.get(codeOf(error)) ?? wrongPath.get(codeOf(error));
    if (trouble === undefined) return error;
    return new Failure("setup", `${visible(path)} cannot be used: ${trouble}.`, {
      hint: "Make room and make it usable for this user, or name another folder with PARTNER_STATE_DIR.",
      cause: error,
    });
  };
}

export const explainSpool: Explain = (error) =>
  unavailable(
    error,
    "The result could not be set aside in the temporary folder, and nothing was printed",
    "Make room there, set TMPDIR to a folder with room, or write to a file with --save FILE.",
  );

export const explainStdout: Explain = (error) =>
  unavailable(
    error,
    "The result could not be written to the standard output to its end",
    "What was written there is incomplete. Make room, or use --save FILE, which never leaves half a file.",
  );

/** Runs one step of writing. */
export async function explained<T>(step: () => Promise<T>, explain: Explain): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw explain(error);
  }
}

function unavailable(error: unknown, message: string, hint: string): unknown {
  const trouble = disk.get(codeOf(error)) ?? wrongPath.get(codeOf(error));
  return trouble === undefined ? error : new Failure("unavailable", `${message}: ${trouble}.`, { hint, cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
