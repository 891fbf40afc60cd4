import { shellWord } from "./command-words.ts";
import { visible } from "./text.ts";

/** A path in a sentence, quoted only where it would be misread. */
export function namePath(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${visible(path)}"`;
}

/** A path as a word of a command line. */
export function pathWord(path: string): string {
  return shellWord(path);
}

/** True for the path of a file that the shell has already opened, such as `/dev/stdin` or `/dev/fd/63`. */
export function isOpenedAlready(path: string): boolean {
  return /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|thread-self|\d+)\/fd\/\d+)$/.test(path);
}

/** The file descriptor of such a path; undefined for another process's, and for any other path. */
export function openedAs(path: string): number | undefined {
  if (path === "/dev/stdin") return 0;
  const [, digits] = /^\/(?:dev|proc\/(?:self|thread-self))\/fd\/(\d{1,9})$/.exec(path) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
