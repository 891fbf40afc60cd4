import type { JsonObject, JsonValue } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import { decodeString } from "./strings.ts";
import type { JsonTokens } from "./tokens.ts";
import { setMember } from "./member.ts";

/** For fewer records, reading token by token costs less than building a pattern. */
const recordsBefore = 16;
/** After this many records, learning another form isn't worth it. */
const recordsTried = 64;
/** Records of one list have the same form, or a few where members are missing. */
const formsMax = 4;
const membersMax = 64;

const plainName = /^[ !#-[\]-~]{1,64}$/;
const whiteSpace = "[ \\t\\n\\r]*";
// A string is plain characters, and a rest that begins with the first escape or non-ASCII character. No character fits
// both, so a record that doesn't match fails at once, without backtracking.
const plain = "[ !#-\\[\\]-\\x7f]*";
const rest = `(?:(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})|[\\x80-\\uffff])${plain})*`;
const patterns = {
  text: `(?:"(${plain}(${rest}))"|null)`,
  number: "(-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|null)",
  word: "(true|false|null)",
} as const;

interface Member {
  readonly name: string;
  readonly kind: keyof typeof patterns;
}

/** A form of records: their members in order, with the kind of each value. */
interface Form {
  readonly members: readonly Member[];
  /** Matches exactly the records of this form, to the last brace; as strict as the reader itself. */
  readonly pattern: RegExp;
}

/**
 * The forms of the records read so far. The records of a list mostly have the same members in the same order, so the
 * next one is matched with one pattern for the whole record, which is faster than reading it token by token. A record
 * that doesn't match, such as an invalid one, is read token by token.
 */
export class JsonForms {
  readonly #forms: Form[] = [];
  #records = 0;

  /** Reads the record that begins here, if it has a known form. */
  read(tokens: JsonTokens): JsonObject | undefined {
    const forms = this.#forms;
    for (let place = 0; place < forms.length; place++) {
      const form = forms[place];
      const parts = form && tokens.match(form.pattern);
      if (!form || !parts) continue;
      // The next record most likely has the same form.
      if (place > 0) forms.unshift(...forms.splice(place, 1));
      return recordOf(form.members, parts, tokens.isBytes);
    }
    return undefined;
  }

  /** Learns the form of a record that was read token by token. */
  learn(record: JsonObject): void {
    this.#records += 1;
    const tried = this.#records - recordsBefore;
    if (tried < 0 || tried > recordsTried || this.#forms.length === formsMax) return;
    const members = membersOf(record);
    if (members === undefined) return;
    const pattern = patternOf(members);
    if (this.#forms.some((form) => form.pattern.source === pattern.source)) return;
    this.#forms.unshift({ members, pattern });
  }
}

/** The members of a flat record whose names need no decoding. */
function membersOf(record: JsonObject): readonly Member[] | undefined {
  const members: Member[] = [];
  for (const [name, value] of Object.entries(record)) {
    const kind = kindOf(value);
    if (kind === undefined || !plainName.test(name)) return undefined;
    members.push({ name, kind });
  }
  return members.length === 0 || members.length > membersMax ? undefined : members;
}

function kindOf(value: JsonValue): Member["kind"] | undefined {
  if (typeof value === "string") return "text";
  if (value instanceof Numeral) return "number";
  return value === null || typeof value === "boolean" ? "word" : undefined;
}

function patternOf(members: readonly Member[]): RegExp {
  const each = members.map(
    ({ name, kind }) => `"${literally(name)}"${whiteSpace}:${whiteSpace}${patterns[kind]}${whiteSpace}`,
  );
  return new RegExp(`\\{${whiteSpace}${each.join(`,${whiteSpace}`)}\\}`, "y");
}

function literally(name: string): string {
  return name.replaceAll(/\W/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
}

function recordOf(members: readonly Member[], parts: RegExpExecArray, isBytes: boolean): JsonObject {
  const record: JsonObject = {};
  let next = 1;
  for (const { name, kind } of members) {
    const part = parts[next];
    next += 1;
    if (kind === "text") {
      const rest = parts[next];
      next += 1;
      setMember(record, name, part === undefined ? null : rest === "" ? part : decodeString(part, isBytes));
    } else if (part === undefined || part === "null") {
      setMember(record, name, null);
    } else {
      setMember(record, name, kind === "number" ? new Numeral(part) : part === "true");
    }
  }
  return record;
}
