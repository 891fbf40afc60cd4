/** A step of a compiled pattern: read a character, go on at other steps, look at both sides, or be done. */
export type Instruction =
  | { readonly kind: "read"; readonly matches: (character: string) => boolean }
  | { readonly kind: "fork"; readonly to: readonly number[] }
  | { readonly kind: "look"; readonly isMet: (before: string, after: string) => boolean }
  | { readonly kind: "done" };

/**
 * Runs a pattern over texts. It follows all possible positions at once and never backtracks, so its time grows with the
 * length of text and pattern only.
 */
export class PatternProgram {
  readonly #steps: readonly Instruction[];
  /** The value of `#clock` when each step was last reached. */
  readonly #reachedAt: Int32Array;
  #clock = 0;

  constructor(steps: readonly Instruction[]) {
    this.#steps = steps;
    this.#reachedAt = new Int32Array(steps.length);
  }

  /** @returns whether the pattern matches anywhere in the text */
  isFoundIn(text: string): boolean {
    const characters = Array.from(text);
    let places: number[] = [];
    for (let at = 0; at <= characters.length; at += 1) {
      const [before = "", after = ""] = [characters[at - 1], characters[at]];
      // It may begin at every character.
      places.push(0);
      const reading = this.#reach(places, before, after);
      if (reading === undefined) return true;
      places = [];
      for (const place of reading) {
        const step = this.#steps[place];
        if (step?.kind === "read" && after !== "" && step.matches(after)) places.push(place + 1);
      }
    }
    return false;
  }

  /** The steps that read next; undefined where the end is reached. */
  #reach(waiting: number[], before: string, after: string): readonly number[] | undefined {
    this.#clock += 1;
    const reading: number[] = [];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (this.#reachedAt[place] === this.#clock) continue;
      this.#reachedAt[place] = this.#clock;
      const step = this.#steps[place];
      if (step === undefined || step.kind === "done") return undefined;
      if (step.kind === "read") reading.push(place);
      else if (step.kind === "fork") waiting.push(...step.to);
      else if (step.isMet(before, after)) waiting.push(place + 1);
    }
    return reading;
  }
}
