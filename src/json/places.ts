import { JsonReader } from "./reader.ts";
import type { JsonValue } from "../values/json.ts";

/** The value of a JSON text, and the position at which each part of it begins. */
export interface PlacedJson {
  readonly value: JsonValue;
  /** By the path of a part: names and indexes, joined by dots. */
  readonly places: ReadonlyMap<string, number>;
}

/**
 * Reads a whole JSON text and records the position of every value.
 * @throws {JsonError}
 */
export function readPlacedJson(text: string): PlacedJson {
  const reader = new JsonReader({ namesOnce: true });
  reader.load({ text, isAll: true, isBytes: false, offset: 0 });
  const value = reader.value(0);
  reader.end();
  reader.load({ text, isAll: true, isBytes: false, offset: 0 });
  const places = new Map<string, number>();
  place(reader, "", 0, places);
  return { value, places };
}

function place(reader: JsonReader, path: string, depth: number, places: Map<string, number>): void {
  const inside = (name: string) => (path === "" ? name : `${path}.${name}`);
  if (reader.isAtArray()) {
    places.set(path, reader.at);
    reader.enter(depth);
    let index = 0;
    for (let more = reader.item(true); more; more = reader.item(false)) {
      place(reader, inside(String(index)), depth + 1, places);
      index += 1;
    }
  } else if (reader.isAtObject()) {
    places.set(path, reader.at);
    reader.enter(depth);
    for (let name = reader.member(true); name !== undefined; name = reader.member(false))
      place(reader, inside(name), depth + 1, places);
  } else {
    places.set(path, reader.at);
    reader.value(depth);
  }
}

/** A position in a text as line and column, both from 1. */
export function lineAndColumn(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
