import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A test file, and what is in it. */
export interface TestText {
  readonly path: string;
  readonly text: string;
}

/** Lines before and after a place whose words say what it is about. */
const linesAround = 15;
/** A word of the whole source says less than one beside the place. */
const wholeWeight = 0.25;
/** Words in more of the tests than this tell nothing apart. */
const commonShare = 0.2;

/**
 * Orders test files by how likely they run a place: those first that share its rare words, such as names and flags. Long
 * files share something with everything, which counts less.
 */
export class Likeness {
  readonly #tests: readonly { readonly path: string; readonly words: ReadonlySet<string> }[];
  readonly #counts = new Map<string, number>();

  constructor(tests: readonly TestText[]) {
    this.#tests = tests.map(({ path, text }) => ({ path, words: new Set([...wordsIn(text), ...wordsIn(path)]) }));
    for (const { words } of this.#tests)
      for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  /** Paths of all tests, the most alike first. */
  nearest(source: string, code: string, line: number): string[] {
    const lines = code.split("\n");
    const near = wordsIn(lines.slice(Math.max(0, line - linesAround), line + linesAround).join("\n"));
    const whole = wordsIn(`${source}\n${code}`);
    const rated = this.#tests.map(({ path, words }) => ({
      path,
      rate: (this.#shared(words, near) + wholeWeight * this.#shared(words, whole)) / Math.sqrt(words.size),
    }));
    return rated.toSorted((a, b) => b.rate - a.rate).map(({ path }) => path);
  }

  #shared(words: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
    let sum = 0;
    for (const word of wanted) if (words.has(word)) sum += this.#weight(word);
    return sum;
  }

  #weight(word: string): number {
    const share = (this.#counts.get(word) ?? 0) / this.#tests.length;
    return share === 0 || share > commonShare ? 0 : -Math.log(share);
  }
}

/** A test file with what it takes its tests from, such as a contract that several stores keep. */
export function testText(root: string, path: string): TestText {
  const texts = new Map<string, string>();
  const add = (file: string) => {
    const text = readFileSync(join(root, file), "utf8");
    if (file !== path && !text.includes("expect(")) return;
    texts.set(file, text);
    for (const [, imported = ""] of text.matchAll(/from "(\.[^"]+)"/g)) {
      const other = join(dirname(file), imported);
      if (!texts.has(other) && existsSync(join(root, other))) add(other);
    }
  };
  add(path);
  return { path, text: [...texts.values()].join("\n") };
}

/** Names, words of sentences, and flags. */
function wordsIn(text: string): Set<string> {
  return new Set(text.match(/--[a-z-]+|[A-Za-z]{5,}/g) ?? []);
}
