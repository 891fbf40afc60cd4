import type { Archive } from "./archive.ts";
import type { XmlHandler } from "./xml.ts";
import { readWholeXml } from "./xml.ts";

/** A workbook's escape for characters that XML can't contain: `_x0007_`. */
const escaped = /_x([0-9A-Fa-f]{4})_/g;

/** Assembles a rich text from its runs, without the phonetic readings of Japanese words. */
export class RichText {
  #text = "";
  #isInText = false;
  #isBeside = false;

  readonly handler: Required<XmlHandler> = {
    open: (element) => {
      if (element === "t") this.#isInText = true;
      else if (element === "rPh") this.#isBeside = true;
    },
    text: (text) => {
      if (this.#isInText && !this.#isBeside) this.#text += text;
    },
    close: (element) => {
      if (element === "t") this.#isInText = false;
      else if (element === "rPh") this.#isBeside = false;
    },
  };

  /** Returns the finished text, and starts the next one. */
  take(): string {
    const text = unescaped(this.#text);
    this.#text = "";
    return text;
  }
}

/** Decodes a workbook's escapes. */
export function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replaceAll(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * The texts that cells of all sheets share, by their numbers.
 * @throws {Failure} usage
 */
export async function readSharedStrings(archive: Archive, name: string | undefined, path: string): Promise<string[]> {
  const strings: string[] = [];
  if (name === undefined) return strings;
  const rich = new RichText();
  const { open, text, close } = rich.handler;
  await readWholeXml(
    { archive, name, path },
    {
      open,
      text,
      close(element) {
        close(element);
        if (element === "si") strings.push(rich.take());
      },
    },
  );
  return strings;
}
