import { decodeDocument } from "../../contract/webhooks/envelope.ts";
import { encodeJson } from "../../contract/wire.ts";

/** An amount as it stands in a payload, whole or with one decimal: what is left when zeros at its end are lost. */
const shortAmount = /("(?:amountCredit|amountDebit|availableBalance|currentBalance)":)(\d+)(\.\d)?(?=[,}])/g;
/** Longer texts are no payloads, and deep ones of them would become many times as long. */
const rewrittenMaxChars = 64 * 1024;
/** A payload has four amounts; with more, the combinations would grow beyond what is worth trying. */
const shortAmountsMax = 5;

/**
 * Other spellings of a payload: those from which the given one could come when a program reads JSON and writes it
 * anew, with other blanks, line breaks and escapes, or with the zeros of `50000.00` lost.
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

/** Blanks behind colons and commas and nowhere else, as Python writes JSON. */
function spaced(pretty: string): string {
  return pretty
    .replaceAll(/([{[])\n */g, "$1")
    .replaceAll(/\n *([}\]])/g, "$1")
    .replaceAll(/\n */g, " ");
}

function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, asciiOf);
}

/** Escapes that were made already: a text has few different characters. */
const escapes = new Map<string, string>();

function asciiOf(unit: string): string {
  const known = escapes.get(unit);
  if (known !== undefined) return known;
  const escape = String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  escapes.set(unit, escape);
  return escape;
}

/** Every combination of amounts as they are and with the decimals that they may have had. */
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
