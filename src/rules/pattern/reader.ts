import type { Instruction } from "./program.ts";
import { characterClass, readShorthand } from "./classes.ts";

/** The largest number of steps: a longer pattern is not meant for narrations. */
const stepsMax = 2000;
const repeatsMax = 100;
const depthMax = 50;

/** An invalid pattern, or one that can't be matched in linear time. */
export class PatternError extends Error {
  override readonly name = "PatternError";
  /** The position of the error, from 1. */
  readonly column: number;

  constructor(message: string, at: number) {
    super(message);
    this.column = at + 1;
  }
}

/** Steps of a part, each made when its final index is known: forks refer to other steps by index. */
type Part = readonly ((place: number) => Instruction)[];

/** Compiles a pattern into steps. */
export class PatternReader {
  readonly #source: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = Array.from(source);
  }

  /** @throws {PatternError} */
  read(): readonly Instruction[] {
    if (this.#source.length === 0) throw new PatternError("it is empty", 0);
    const part = this.#choice();
    if (this.#at < this.#source.length) throw this.#error("a ) without its (");
    return [...part.map((make, at) => make(at)), { kind: "done" }];
  }

  #choice(): Part {
    let part = this.#sequence();
    while (this.#next() === "|") {
      this.#at += 1;
      part = either(part, this.#sequence());
    }
    return part;
  }

  #sequence(): Part {
    const parts: Part[] = [];
    for (let next = this.#next(); next !== undefined && next !== "|" && next !== ")"; next = this.#next())
      parts.push(this.#repeated(this.#atom()));
    const whole = parts.flat();
    if (whole.length > stepsMax) throw this.#error(`it has more than ${stepsMax} steps`);
    return whole;
  }

  #repeated(part: Part): Part {
    let whole = part;
    for (let next = this.#next(); next !== undefined && "*+?{".includes(next); next = this.#next()) {
      if (whole !== part) throw this.#error("a repetition of a repetition");
      const [least, most] = this.#bounds(next);
      whole = repeat(part, least, most);
      // Lazy or greedy makes no difference to whether it matches.
      if (this.#next() === "?") this.#at += 1;
      if (whole.length > stepsMax) throw this.#error(`it has more than ${stepsMax} steps`);
    }
    return whole;
  }

  #bounds(mark: string): readonly [number, number | undefined] {
    this.#at += 1;
    if (mark === "*") return [0, undefined];
    if (mark === "+") return [1, undefined];
    if (mark === "?") return [0, 1];
    const end = this.#source.indexOf("}", this.#at);
    const [whole, least, comma, most] =
      /^(\d{1,3})(,?)(\d{0,3})$/.exec(this.#source.slice(this.#at, Math.max(end, 0)).join("")) ?? [];
    if (whole === undefined) throw this.#error("a { without a number such as {2}, {2,} or {2,5}");
    const bounds = [Number(least), comma === "" ? Number(least) : most === "" ? undefined : Number(most)] as const;
    if (bounds[0] > repeatsMax || (bounds[1] ?? 0) > repeatsMax)
      throw this.#error(`a repetition of more than ${repeatsMax} times`);
    if (bounds[1] !== undefined && bounds[1] < bounds[0]) throw this.#error("a repetition whose end is its beginning");
    this.#at = end + 1;
    return bounds;
  }

  #atom(): Part {
    const next = this.#take();
    switch (next) {
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case ".":
        return [() => ({ kind: "read", matches: () => true })];
      case "^":
        return [() => ({ kind: "look", isMet: (before) => before === "" })];
      case "$":
        return [() => ({ kind: "look", isMet: (_before, after) => after === "" })];
      case "\\":
        return this.#escaped();
      case "*":
      case "+":
      case "?":
      case "{":
        throw this.#error(`nothing comes before ${next}`, -1);
      default:
        return literal(next);
    }
  }

  #group(): Part {
    if (this.#next() === "?") {
      if (this.#source[this.#at + 1] !== ":")
        throw this.#error(
          "it looks ahead, looks behind or names a group, which takes more than linear time or is not known",
        );
      this.#at += 2;
    }
    this.#depth += 1;
    if (this.#depth > depthMax) throw this.#error(`more than ${depthMax} groups inside each other`);
    const part = this.#choice();
    if (this.#next() !== ")") throw this.#error("a ( without its )");
    this.#depth -= 1;
    this.#at += 1;
    return part;
  }

  #class(): Part {
    const start = this.#at;
    let end = start + (this.#source[start] === "^" ? 1 : 0);
    while (end < this.#source.length && this.#source[end] !== "]") end += this.#source[end] === "\\" ? 2 : 1;
    if (end >= this.#source.length) throw this.#error("a [ without its ]", -1);
    const matches = characterClass(this.#source.slice(start, end));
    if (matches === undefined) throw this.#error("a [ ] that is empty or has a range that ends before it begins", -1);
    this.#at = end + 1;
    return [() => ({ kind: "read", matches })];
  }

  #escaped(): Part {
    const next = this.#take();
    if (/^[1-9]$/.test(next) || next === "k")
      throw this.#error("it refers back, which takes more than linear time", -1);
    if (next === "b" || next === "B")
      return [
        () => ({ kind: "look", isMet: (before, after) => (isWord(before) !== isWord(after)) === (next === "b") }),
      ];
    const matches = readShorthand(next);
    if (matches === undefined && /^[a-z0-9]$/i.test(next)) throw this.#error(`\\${next} means nothing here`, -1);
    return matches === undefined ? literal(next) : [() => ({ kind: "read", matches })];
  }

  #next(): string | undefined {
    return this.#source[this.#at];
  }

  #take(): string {
    const next = this.#next();
    if (next === undefined) throw this.#error("it ends after \\");
    this.#at += 1;
    return next;
  }

  #error(what: string, by = 0): PatternError {
    return new PatternError(what, this.#at + by);
  }
}

function isWord(character: string): boolean {
  return /^[\p{L}\p{N}_]$/u.test(character);
}

function literal(character: string): Part {
  const wanted = character.toLowerCase();
  return [() => ({ kind: "read", matches: (found) => found === wanted })];
}

function either(one: Part, other: Part): Part {
  const fork: Part = [(place) => ({ kind: "fork", to: [place + 1, place + one.length + 2] })];
  const over: Part = [(place) => ({ kind: "fork", to: [place + 1 + other.length] })];
  return [...fork, ...one, ...over, ...other];
}

function repeat(part: Part, least: number, most: number | undefined): Part {
  const must = Array.from({ length: least }, () => part).flat();
  const size = part.length;
  if (most === undefined) {
    const loop: Part = [
      (place) => ({ kind: "fork", to: [place + 1, place + size + 2] }),
      ...part,
      (place) => ({ kind: "fork", to: [place - size - 1] }),
    ];
    return [...must, ...loop];
  }
  const may: Part = [(place) => ({ kind: "fork", to: [place + 1, place + 1 + size] }), ...part];
  return [...must, ...Array.from({ length: most - least }, () => may).flat()];
}
