/** A step of a pattern that is run: read a character, go on in one place or two, look around, or be done. */
export type Step =
  | { readonly kind: "read"; readonly takes: (character: string) => boolean }
  | { readonly kind: "fork"; readonly to: readonly number[] }
  | { readonly kind: "look"; readonly holds: (before: string, after: string) => boolean }
  | { readonly kind: "done" };

/**
 * Runs a pattern over texts in time linear in the length of both: all possible positions are followed at once, so that
 * it never backtracks.
 */
export class Program {
  readonly #steps: readonly Step[];
  /** When a step was reached last, by the number of the character. */
  readonly #reachedAt: Int32Array;
  #clock = 0;

  constructor(steps: readonly Step[]) {
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
        if (step?.kind === "read" && after !== "" && step.takes(after)) places.push(place + 1);
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
      else if (step.holds(before, after)) waiting.push(place + 1);
    }
    return reading;
  }
}
