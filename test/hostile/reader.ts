import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { unplugged } from "../fuzz/unplugged.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";

/** A reader of bytes from outside, with hostile ones in a place of its own. */
export interface Reader {
  readonly name: string;
  /** How long a text can get there: a file or an answer is longer than a word of a command line. */
  readonly takes: "files" | "words";
  /** Its result is ignored here. */
  readonly read: (hostile: string) => unknown;
}

/** Some places for a hostile text, by their names. */
export type Places = Readonly<Record<string, (hostile: string) => string>>;

const folder = temporaryFolder();

/** A file with that text. */
export function file(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

export function nothing(): void {}

/** Work that may fail in any way. */
export function settled(work: () => unknown): Promise<unknown> {
  return Promise.resolve().then(work).then(nothing, nothing);
}

/** A command line, with a hostile text in one of its words or in a file that it names. */
export function typed(
  name: string,
  argv: (hostile: string) => readonly string[],
  takes: Reader["takes"] = "files",
): Reader {
  return { name, takes, read: (hostile) => run(argv(hostile), unplugged({ status: 200, body: "[]" })) };
}

/** A command whose service answers with a hostile text. */
export function answered(name: string, line: string, body: (hostile: string) => string, status = 200): Reader {
  return { name, takes: "files", read: (hostile) => run(words(line), unplugged({ status, body: body(hostile) })) };
}
