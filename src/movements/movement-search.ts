import type { Journal } from "../journal/journal.ts";
import type { Movement } from "../journal/movement.ts";
import { movementKinds, movementNouns } from "../journal/movement.ts";
import { Failure } from "../values/failure.ts";
import { quote, visible } from "../values/text/text.ts";

/** How many references are suggested at most. */
const suggestionsMax = 3;

/** With fewer characters of an id, it could be a mistyped reference. */
const decidedIdMinChars = 8;

/**
 * The movement with an id, a reference, or the beginning of an id.
 * @throws {Failure} refused when there is none | usage when several are meant
 */
export async function theMovement(journal: Journal, key: string): Promise<Movement> {
  const named = await journal.search(key);
  if (named.length > 0) return onlyOne(named, "have the reference", key);
  const begun = await journal.beginningWith(key.toLowerCase());
  if (begun.length > 0) return onlyOne(begun, "have an id that begins with", key);
  const near = await spelledLike(journal, key);
  throw new Failure("refused", `The journal has no order ${quote(key)}.`, {
    hint:
      near.length === 0
        ? "See which there are: partner journal list"
        : `Did you mean ${near.map((reference) => visible(reference)).join(" or ")}?`,
  });
}

/** References of the journal that differ only in how they are written, such as in letter case. */
async function spelledLike(journal: Journal, reference: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const scope of await journal.accounts()) {
    const asked = movementKinds.map((kind) => ({ kind, reference, request: "{}" }));
    for (const { near } of await journal.lookAroundAll(scope, asked))
      for (const each of near) found.add(each.reference);
  }
  return [...found].slice(0, suggestionsMax);
}

/**
 * The same for a person who says what became of the order. A mistyped reference can happen to be the beginning of any
 * order's id.
 * @throws {Failure} as `theMovement` does | usage where only a few characters of an id are given
 */
export async function theDecidedMovement(journal: Journal, key: string): Promise<Movement> {
  const movement = await theMovement(journal, key);
  const { id, kind, reference } = movement;
  if (key === reference || key.length >= decidedIdMinChars) return movement;
  throw new Failure(
    "usage",
    `The journal has no reference ${quote(key)}; it is how the id of the ${movementNouns[kind]} ${reference} begins.`,
    { hint: `If you mean that one, name it by its reference, or by its id: ${id}`, money: "none", reference },
  );
}

function onlyOne(found: readonly Movement[], have: string, key: string): Movement {
  const [movement] = found;
  if (movement !== undefined && found.length === 1) return movement;
  const ids = found.map(({ id, kind, scope }) => `${id} (${kind}, ${scope})`).join("; ");
  throw new Failure("usage", `${found.length} orders ${have} ${quote(key)}.`, {
    hint: `Name one by its id: ${ids}`,
  });
}
