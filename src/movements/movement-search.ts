import type { Journal } from "../journal/journal.ts";
import type { Movement } from "../journal/movement.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text/text.ts";

/**
 * The movement with an id, a reference, or the beginning of an id.
 * @throws {Failure} refused when there is none | usage when several are meant
 */
export async function theMovement(journal: Journal, key: string): Promise<Movement> {
  const named = await journal.search(key);
  if (named.length > 0) return onlyOne(named, "have the reference", key);
  return onlyOne(await journal.beginningWith(key.toLowerCase()), "have an id that begins with", key);
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
