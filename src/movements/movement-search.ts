import type { Journal } from "../journal/journal.ts";
import type { Movement } from "../journal/movement.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text/text.ts";

/**
 * The one movement that a person means by an id or a reference.
 * @throws {Failure} refused when there is none | usage when several have that reference
 */
export async function theMovement(journal: Journal, key: string): Promise<Movement> {
  const found = await journal.search(key);
  const [movement] = found;
  if (movement === undefined)
    throw new Failure("refused", `The journal has no order ${quote(key)}.`, {
      hint: "See which there are: partner journal list",
    });
  if (found.length === 1) return movement;
  const ids = found.map(({ id, kind, scope }) => `${id} (${kind}, ${scope})`).join("; ");
  throw new Failure("usage", `${found.length} orders have the reference ${quote(key)}.`, {
    hint: `Name one by its id: ${ids}`,
  });
}
