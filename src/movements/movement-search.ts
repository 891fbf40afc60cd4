import type { Journal } from "../journal/journal.ts";
import type { Movement } from "../journal/movement.ts";
import { movementNouns } from "../journal/movement.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text/text.ts";

/** So much of an id is no reference with a slip in it. */
const decidedIdMinChars = 8;

/**
 * The movement with an id, a reference, or the beginning of an id.
 * @throws {Failure} refused when there is none | usage when several are meant
 */
export async function theMovement(journal: Journal, key: string): Promise<Movement> {
  const named = await journal.search(key);
  if (named.length > 0) return onlyOne(named, "have the reference", key);
  return onlyOne(await journal.beginningWith(key.toLowerCase()), "have an id that begins with", key);
}

/**
 * The same for a person who says what became of it. A reference that the journal doesn't have can be how the id of any
 * order begins.
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
  if (movement === undefined)
    throw new Failure("refused", `The journal has no order ${quote(key)}.`, {
      hint: "See which there are: partner journal list",
    });
  if (found.length === 1) return movement;
  const ids = found.map(({ id, kind, scope }) => `${id} (${kind}, ${scope})`).join("; ");
  throw new Failure("usage", `${found.length} orders ${have} ${quote(key)}.`, {
    hint: `Name one by its id: ${ids}`,
  });
}
