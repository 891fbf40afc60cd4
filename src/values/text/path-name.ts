import { shellWord } from "./command-words.ts";
import { visible } from "./text.ts";

/** A path as a sentence names it; quoted only where it holds something that would be misread. */
export function namePath(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${visible(path)}"`;
}

/** A path as a word of a command line. */
export function pathWord(path: string): string {
  return shellWord(path);
}

/** True for the name of what the shell has opened already, such as `/dev/stdin` or `/dev/fd/63`. */
export function isOpenedAlready(path: string): boolean {
  return /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|thread-self|\d+)\/fd\/\d+)$/.test(path);
}

/** The number under which the shell has opened a path; undefined for the path of another process, or of none. */
export function openedAs(path: string): number | undefined {
  if (path === "/dev/stdin") return 0;
  const [, digits] = /^\/(?:dev|proc\/(?:self|thread-self))\/fd\/(\d{1,9})$/.exec(path) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
