import { setMember } from "../../json/member.ts";
import { decodeDocument } from "../../contract/webhooks/envelope.ts";
import { closest } from "../../values/text/closest.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import { violation } from "../../values/violation.ts";
import { quote } from "../../values/text/text.ts";

/** A member of the payload, and its new value: `transaction.amountCredit=5000`. */
export interface PayloadEdit {
  readonly path: readonly string[];
  readonly text: string;
}

const pathForm = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
/** Where a single name is looked up, in this order. */
const shortNamePlaces = ["", "transaction", "account"];

/**
 * Reads an edit as it is typed.
 * @throws {Failure} usage
 */
export function parseEdit(typed: string, field: string): PayloadEdit {
  const at = typed.indexOf("=");
  const path = typed.slice(0, Math.max(at, 0));
  if (pathForm.test(path)) return { path: path.split("."), text: typed.slice(at + 1) };
  throw violation({
    field,
    text: typed,
    problem: "names no field of the payload and its value",
    example: "amountCredit=5000",
    rule: "a name, or names with full stops between, then = and the value",
  });
}

/**
 * Changes a member, in place. A single name is looked up in `transaction` and `account`, too. Text stays text, and a
 * number stays a number; null is always null, and any other member accepts JSON.
 * @throws {Failure} usage
 */
export function applyEdit(payload: JsonObject, { path, text }: PayloadEdit, field: string): void {
  const full = path.length === 1 ? placeOf(path[0] ?? "", payload, field) : path;
  const holder = holderOf(full, payload, field);
  const name = full.at(-1) ?? "";
  const old = Object.hasOwn(holder, name) ? holder[name] : undefined;
  setMember(holder, name, valueOf(text, old, `${field} ${full.join(".")}`));
}

function placeOf(name: string, payload: JsonObject, field: string): readonly string[] {
  const known = shortNamePlaces.flatMap((place) => {
    const holder = place === "" ? payload : payload[place];
    return isJsonObject(holder) ? Object.keys(holder).map((key) => ({ key, place })) : [];
  });
  const found = known.find(({ key }) => key === name);
  if (found !== undefined) return found.place === "" ? [name] : [found.place, name];
  const near = closest(
    name,
    known.map(({ key }) => key),
  );
  const meant = near === undefined ? "" : `Did you mean ${near}? `;
  throw new Failure("usage", `${field} ${quote(name)} isn't a field of the payload.`, {
    hint: `${meant}One that is new needs its whole path: ${field} transaction.${name}=…`,
  });
}

/** The object with the last name; missing objects on the way are created. */
function holderOf(path: readonly string[], payload: JsonObject, field: string): JsonObject {
  let holder = payload;
  for (const name of path.slice(0, -1)) {
    const next: JsonValue = (Object.hasOwn(holder, name) ? holder[name] : undefined) ?? {};
    if (!isJsonObject(next)) {
      throw new Failure(
        "usage",
        `${field} ${quote(path.join("."))} goes through ${quote(name)}, which isn't an object.`,
        {
          hint: `Give ${name} itself a value: ${field} ${name}=…`,
        },
      );
    }
    setMember(holder, name, next);
    holder = next;
  }
  return holder;
}

function valueOf(text: string, old: JsonValue | undefined, field: string): JsonValue {
  if (text === "null") return null;
  if (typeof old === "string") return text;
  const value = decodeDocument(text);
  if (!(old instanceof Numeral)) return value ?? text;
  if (value instanceof Numeral) return value;
  throw new Failure("usage", `${field} ${quote(text)} isn't a number.`, {
    hint: `Write it like ${field}=5000: digits, and a point before decimals.`,
  });
}
