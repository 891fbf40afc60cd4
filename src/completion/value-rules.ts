import type { Flag, Place, Value } from "./grammar.ts";
import { namesOf } from "./grammar.ts";

/** Which value follows a flag: at some places, or wherever no rule before this one speaks. */
export interface ValueRule {
  /** `--output`, `-o`. */
  readonly flags: readonly string[];
  /** Words of places; undefined for all others. */
  readonly places: readonly string[] | undefined;
  /** Undefined for a flag without a value. */
  readonly value: Value | undefined;
}

/**
 * What follows each flag, for shells in which a script has to know that by itself. Most flags mean the same wherever
 * they are, so that a rule for each flag at each command would be a long way to say little. Special ones come first.
 */
export function valueRules(places: readonly Place[]): readonly ValueRule[] {
  const uses = places.flatMap((place) => place.flags.flatMap((flag) => usesOf(place.words, flag)));
  const special: ValueRule[] = [];
  const usual = new Map<string, { flags: string[]; value: Value }>();
  for (const [name, ofName] of Map.groupBy(uses, (use) => use.name)) {
    const byValue = [...Map.groupBy(ofName, (use) => keyOf(use.value)).values()].toSorted(
      (a, b) => b.length - a.length,
    );
    for (const [rank, same] of byValue.entries()) {
      const value = same[0]?.value;
      if (rank > 0) special.push({ flags: [name], places: same.map(({ place }) => place), value });
      else if (value !== undefined) {
        const rule = usual.get(keyOf(value)) ?? { flags: [], value };
        rule.flags.push(name);
        usual.set(keyOf(value), rule);
      }
    }
  }
  return [...special, ...[...usual.values()].map((rule) => ({ ...rule, places: undefined }))];
}

interface Use {
  readonly place: string;
  readonly name: string;
  readonly value: Value | undefined;
}

function usesOf(place: string, flag: Flag): Use[] {
  return namesOf([flag]).map((name) => ({ place, name, value: flag.value }));
}

/** What stands for a value in the help is no difference. */
function keyOf(value: Value | undefined): string {
  return value === undefined ? "" : JSON.stringify([value.words, value.besides]);
}
