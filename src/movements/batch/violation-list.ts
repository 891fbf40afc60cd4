import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import { clockHint } from "../guards/guards.ts";
import type { RowViolation } from "./rows/row-reader.ts";

/** How many violations are listed, more than a person would fix by hand; others are counted. */
const namedMaxCount = 10_000;

/** What a person can do about faults, in the words of a hint. */
export interface WaysOut {
  /** Where there is one fault, and where there are several. */
  readonly correct: (it: "it" | "them") => string;
  /** What takes rows that look like payments made before. */
  readonly repeats: string;
}

/** Ways out for those who have the file before them. @param save how it is saved and used again */
export function correcting(save: string): WaysOut {
  return { correct: (it) => `Correct ${it} in the spreadsheet, ${save}`, repeats: "--allow-repeats" };
}

const correctFile = correcting("save it again as CSV UTF-8, and run the same command again.");

/** All violations of a file, to report at once. */
export class ViolationList {
  readonly #named = new Map<string, Set<string>>();
  #unnamedCount = 0;
  readonly #lines = new Set<number>();
  #count = 0;
  #repeatCount = 0;
  #clockCount = 0;
  /** How many are of what a flag expects of the file. */
  #expectedCount = 0;

  get count(): number {
    return this.#count;
  }

  add(...violations: readonly RowViolation[]): void {
    for (const { line, column, problem, isRepeat = false, isOfClock = false } of violations) {
      const place = [line === undefined ? [] : `line ${line}`, column ?? []].flat().join(", ") || "file";
      const problems = this.#named.get(place) ?? new Set();
      if (problems.has(problem)) continue;
      this.#count += 1;
      if (isRepeat) this.#repeatCount += 1;
      if (isOfClock) this.#clockCount += 1;
      if (column?.startsWith("--expect") === true) this.#expectedCount += 1;
      if (line !== undefined) this.#lines.add(line);
      if (this.#count - this.#unnamedCount > namedMaxCount) this.#unnamedCount += 1;
      else this.#named.set(place, problems.add(problem));
    }
  }

  /** All of them as one failure; `undefined` where there are none. */
  failure(path: string, waysOut = correctFile): Failure | undefined {
    if (this.#count === 0) return undefined;
    const rows = this.#lines.size === 0 ? "" : ` in ${counted(this.#lines.size, "line")}`;
    const violations = counted(this.#count, "fault");
    // Two violations of one cell are in one line.
    const named = [...this.#named].map(([place, problems]): [string, string] => [place, [...problems].join("; ")]);
    const more = this.#unnamedCount;
    return new Failure("usage", `${visible(path)} has ${violations}${rows}; nothing was sent.`, {
      hint: this.#hint(waysOut),
      money: "not moved",
      details: Object.fromEntries(more > 0 ? [...named, ["…", `and ${more} more`]] : named),
    });
  }

  #hint({ correct, repeats }: WaysOut): string {
    const ofRows = this.#count - this.#clockCount - this.#expectedCount;
    const expected = this.#expectedCount === 0 ? [] : ["Find out which is right, the file or the flag."];
    const clock = this.#clockCount === 0 ? [] : [ofRows + this.#expectedCount === 0 ? clockHint : `${clockHint}.`];
    const rows = ofRows === 0 ? [] : [correct(ofRows === 1 ? "it" : "them")];
    const corrected = [...clock, ...expected, ...rows].join(" ");
    if (this.#repeatCount === 0) return corrected;
    return `${corrected} If rows that look like payments made before are payments of their own: ${repeats}`;
  }
}
