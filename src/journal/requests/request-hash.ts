import { hash, pbkdf2Sync } from "node:crypto";
import { decodeJson, encodeJson } from "../../contract/wire.ts";
import type { JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";

/**
 * Identifies a request: its fields in any order, each number by its digits, without top-level fields that were filled
 * in by the clock or by chance.
 * @throws {JsonError} for a text that is not JSON
 */
export function hashRequest(request: string, volatile: readonly string[] = []): string {
  const value = decodeJson(request);
  const left = isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !volatile.includes(name)))
    : value;
  return sha256(encodeJson(sortFields(left)));
}

/** Enough rounds that a guess takes milliseconds: a plain hash would reveal a guessed number. */
const keptRounds = 10_000;
const keptBytes = 32;
const saltBytes = 16;
const keptForm = /^pbkdf2:(\d+):([0-9a-f]+):([0-9a-f]+)$/;

/** A hash by which the same request is recognised after its redaction: slow to guess, and salted for each order. */
export function keepRequestHash(requestHash: string, random: (count: number) => Uint8Array): string {
  if (keptForm.test(requestHash)) return requestHash;
  const salt = Buffer.from(random(saltBytes)).toString("hex");
  return `pbkdf2:${keptRounds}:${salt}:${stretch(requestHash, salt, keptRounds)}`;
}

/** True for the hash of a request that was redacted. */
export function isKeptHash(text: string): boolean {
  return keptForm.test(text);
}

/** True where a stored hash is that of this request. */
export function isRequestOf(kept: string, request: string, volatile: readonly string[] = []): boolean {
  const requestHash = hashRequest(request, volatile);
  return isKeptHash(kept) ? isKeptFrom(kept, requestHash) : kept === requestHash;
}

/** True where a kept hash is of that request. */
export function isKeptFrom(kept: string, requestHash: string): boolean {
  const [, rounds, salt, stretched] = keptForm.exec(kept) ?? [];
  return rounds !== undefined && salt !== undefined && stretch(requestHash, salt, Number(rounds)) === stretched;
}

function stretch(text: string, salt: string, rounds: number): string {
  return pbkdf2Sync(text, Buffer.from(salt, "hex"), rounds, keptBytes, "sha256").toString("hex");
}

export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

function sortFields(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => sortFields(item));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortFields(value[name] ?? null)]));
}
