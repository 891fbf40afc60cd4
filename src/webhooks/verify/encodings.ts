import { decodeDocument } from "../../contract/webhooks/envelope.ts";
import { encodeJson } from "../../contract/wire.ts";

/** An amount in a payload, whole or with one decimal: it may have lost trailing zeros. */
const shortAmount = /("(?:amountCredit|amountDebit|availableBalance|currentBalance)":)(\d+)(\.\d)?(?=[,}])/g;
/** Longer texts are not payloads, and deeply nested ones would become much longer. */
const rewrittenMaxChars = 64 * 1024;
/** A payload has four amounts; with more, there would be too many combinations to try. */
const shortAmountsMax = 5;

/**
 * Other encodings of a payload, which a program may have turned into this one by parsing and rewriting the JSON: with
 * other spaces, line breaks and escapes, or with the zeros of `50000.00`.
 */
export function* respellings(payload: string): Generator<string> {
  yield payload.trim();
  yield `${payload}\n`;
  yield inAscii(payload);
  const document = payload.length > rewrittenMaxChars ? undefined : decodeDocument(payload);
  if (document === undefined) return;
  const compact = encodeJson(document);
  yield compact;
  yield inAscii(compact);
  yield compact.replaceAll("/", String.raw`\/`);
  yield spaced(encodeJson(document, { pretty: true }));
  yield* withZeros(compact);
}

/** Spaces only after colons and commas, as Python writes JSON. */
function spaced(pretty: string): string {
  return pretty
    .replaceAll(/([{[])\n */g, "$1")
    .replaceAll(/\n *([}\]])/g, "$1")
    .replaceAll(/\n */g, " ");
}

function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, asciiOf);
}

/** Cache of escapes: a text has few distinct characters. */
const escapes = new Map<string, string>();

function asciiOf(unit: string): string {
  const known = escapes.get(unit);
  if (known !== undefined) return known;
  const escape = String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  escapes.set(unit, escape);
  return escape;
}

/** Every combination of amounts as they are, and with the zeros that they may have lost. */
function* withZeros(compact: string): Generator<string> {
  const count = [...compact.matchAll(shortAmount)].length;
  if (count > shortAmountsMax) return;
  for (let chosen = 1; chosen < 3 ** count; chosen += 1) {
    let rest = chosen;
    yield compact.replaceAll(shortAmount, (_, name: string, whole: string, decimal = "") => {
      const zeros = decimal === "" ? ["", ".0", ".00"] : ["", "0", "00"];
      const written = name + whole + decimal + (zeros[rest % 3] ?? "");
      rest = Math.floor(rest / 3);
      return written;
    });
  }
}
