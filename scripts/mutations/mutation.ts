import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One text of a source file, which stands there once, and what stands there instead. */
export interface Edit {
  readonly file: string;
  readonly text: string;
  readonly instead: string;
}

/** A way to get the program wrong, and the tests that have to notice. */
export interface Mutation {
  readonly name: string;
  readonly edits: readonly [Edit, ...Edit[]];
  /** Test files; at least one test of each has to turn red. */
  readonly tests: readonly [string, ...string[]];
  /** Runs only the tests whose name matches, where a file has many that know nothing of it. */
  readonly only?: string | undefined;
}

/** What is wrong with a mutation itself, in words: the sources have changed, and it tests nothing any more. */
export function staleness({ name, edits }: Mutation, root: string): string[] {
  return edits.flatMap(({ file, text, instead }) => {
    if (!existsSync(join(root, file))) return [`${name}: there is no ${file}`];
    const count = readFileSync(join(root, file), "utf8").split(text).length - 1;
    if (count !== 1) return [`${name}: ${file} has ${count} times: ${text}`];
    return text === instead ? [`${name}: nothing would change in ${file}`] : [];
  });
}

/** Makes the mistake in a copy of the sources, and returns how to take it back. */
export function mutate({ edits }: Mutation, copy: string): () => void {
  const before = new Map<string, string>();
  for (const { file, text, instead } of edits) {
    const path = join(copy, file);
    const source = readFileSync(path, "utf8");
    if (!before.has(path)) before.set(path, source);
    writeFileSync(
      path,
      source.replace(text, () => instead),
    );
  }
  return () => before.forEach((source, path) => writeFileSync(path, source));
}
