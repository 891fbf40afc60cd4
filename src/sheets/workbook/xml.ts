import type { QualifiedAttribute, QualifiedTag, SAXParser, Tag } from "sax";
import sax from "sax";
import { damaged } from "./archive.ts";
import type { Archive } from "./archive.ts";
import { unreadableSheet } from "../sheet-failures.ts";

/** Callbacks for the elements of a part. Names come without their namespace prefix. */
export interface XmlHandler {
  readonly open?: (name: string, attribute: Attribute) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Looks up an attribute of an element. */
export type Attribute = (name: string) => string | undefined;

/** A part of a workbook, and its names for messages. */
export interface WorkbookPart {
  readonly archive: Archive;
  readonly name: string;
  /** The file of the workbook. */
  readonly path: string;
}

/**
 * Reads a part of a workbook, element by element, and yields after each piece with the piece's length. Only well-formed
 * XML without a document type is accepted, so that no entity is ever resolved.
 * @throws {Failure} usage
 */
export async function* readXml({ archive, name, path }: WorkbookPart, handler: XmlHandler): AsyncGenerator<number> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parser = newParser(handler, { name, path });
  const decode = (piece?: Uint8Array) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch (error) {
      throw damaged(path, `${name} is not UTF-8 text`, error);
    }
  };
  for await (const piece of archive.part(name)) {
    parser.write(decode(piece));
    yield piece.length;
  }
  parser.write(decode()).close();
}

/** The same for a part that is read as a whole. */
export async function readWholeXml(part: WorkbookPart, handler: XmlHandler): Promise<void> {
  const pieces = readXml(part, handler);
  while ((await pieces.next()).done !== true);
}

function newParser({ open, text, close }: XmlHandler, { name, path }: Omit<WorkbookPart, "archive">): SAXParser {
  return Object.assign(sax.parser(true), {
    onerror(error: Error) {
      throw damaged(path, `${name} is not well-formed XML`, error);
    },
    ondoctype() {
      throw unreadableSheet(path, `${name} has a document type (DTD) in it, as no spreadsheet writes one`);
    },
    onopentag({ name: element, attributes }: Tag | QualifiedTag) {
      open?.(localName(element), (wanted) => {
        const named = attributes[wanted] ?? prefixed(attributes, wanted);
        return typeof named === "string" ? named : named?.value;
      });
    },
    onclosetag: (element: string) => close?.(localName(element)),
    ...(text === undefined ? {} : { ontext: text, oncdata: text }),
  });
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

type Attributes = Readonly<Record<string, string | QualifiedAttribute>>;

function prefixed(attributes: Attributes, wanted: string): Attributes[string] | undefined {
  for (const name in attributes) if (name.endsWith(`:${wanted}`)) return attributes[name];
  return undefined;
}
