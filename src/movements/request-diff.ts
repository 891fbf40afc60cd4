import { decodeJson, encodeJson } from "../contract/wire.ts";
import type { Movement } from "../journal/movement.ts";
import { isInFlight, movementNouns } from "../journal/movement.ts";
import { Failure } from "../values/failure.ts";
import type { JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import { quote } from "../values/text/text.ts";
import { withoutCallbackSecret } from "./callback-secret.ts";

/**
 * The failure for a reference that belongs to another request: it lists the fields that differ, so that a person can
 * tell the two apart.
 */
export function otherRequest(movement: Movement, request: string, volatile: readonly string[]): Failure {
  const before = fieldsOf(decodeJson(withoutCallbackSecret(movement).request));
  const now = fieldsOf(decodeJson(request));
  const names = [...new Set([...before.keys(), ...now.keys()])];
  const differing = names.flatMap((name): [string, string][] => {
    const [was, is] = [before.get(name) ?? "nothing", now.get(name) ?? "nothing"];
    return was === is ? [] : [[name, `was ${was}, is ${is} now`]];
  });
  const meant = differing.filter(([name]) => !volatile.includes(name));
  // Fields that are filled in automatically count where no other field differs.
  const details = meant.length > 0 ? meant : differing;
  const { kind, reference, state } = movement;
  return new Failure(
    "usage",
    `The reference ${quote(reference)} belongs to another ${movementNouns[kind]}, which is ${state}; nothing was sent.`,
    {
      hint: `Use a reference of its own for this one. The other: partner journal show ${movement.id}`,
      // Nothing was sent now. The outcome of the other order is unknown, and it may be the same payment.
      money: state === "unknown" || isInFlight(movement) ? "unknown" : "not moved",
      earlier: state === "accepted" ? "moved" : undefined,
      reference,
      details: Object.fromEntries(details),
    },
  );
}

/** Every field by its path, in words for a person. */
function fieldsOf(value: JsonValue, path = ""): Map<string, string> {
  if (!isJsonObject(value)) return new Map([[path, value instanceof Numeral ? value.text : encodeJson(value)]]);
  const within = Object.entries(value).flatMap(([name, inner]) => [
    ...fieldsOf(inner, path === "" ? name : `${path}.${name}`),
  ]);
  return new Map(within);
}
