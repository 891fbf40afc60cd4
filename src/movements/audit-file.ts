import { decodeClaim } from "../contract/wire.ts";
import type { Host } from "../host/host.ts";
import { fileFailureOf } from "../host/files/file-reason.ts";
import { chainStart, hashLine } from "../journal/history/chain-line.ts";
import { JsonError, RepeatedName } from "../json/json-error.ts";
import { openSheet } from "../sheets/sheet.ts";
import { Failure } from "../values/failure.ts";
import type { JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import { quote } from "../values/text/text.ts";
import { namePath } from "../values/text/path-name.ts";
import { textLines } from "../values/text/text-lines.ts";
import type { ChainEnd } from "./audit-trail.ts";
import { auditNames, newChain, orderStep, sealStep } from "./audit-trail.ts";

const lineMaxChars = 64 * 1_048_576;
/** Cells that the export guards against spreadsheets with a leading quote, which the text may also have had itself. */
const guardedForm = /^'[\0\n]*[=+\-@\t\r]/;
/** At most this many guarded cells of a line are tried with and without the quote; each doubles the combinations. */
const guardedMaxCount = 6;

interface AuditLine {
  /** Of the file. */
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

/** The end of a file's chain, and what the file has. */
export interface FollowedFile extends ChainEnd {
  /** How many lines it has. */
  readonly lines: number;
  /** How many orders it archives; undefined for a file that isn't an archive. */
  readonly archived: number | undefined;
}

/**
 * Reads an exported history, or an archive, and checks its chain to the end. An export begins with line 1, an archive
 * where its seal says, and a file that follows a noted head with that head.
 * @param since the noted head
 * @throws {Failure} usage for any other file | mismatch with the first line that was changed
 */
export async function followFile(host: Host, path: string, since?: string): Promise<FollowedFile> {
  const chain = newChain();
  /** Lines of the file whose hash only a later line can explain, by number in the chain. */
  const firstLines = new Map<string, number>();
  let begin: ChainEnd | undefined;
  let lines = 0;
  let seal: Seal | undefined;
  /** The last line of an order, which only an archive has. */
  let lastOrder: number | undefined;
  let isPassed = since === undefined || since === chainStart;
  for await (const { line, cells } of (await isJson(host, path)) ? jsonLines(host, path) : csvLines(host, path)) {
    const cell = (name: string) => cells.get(name) ?? "";
    const broken = (what: string) => brokenLine(path, line, what);
    if (begin === undefined) {
      begin = beginOf(cell("number"), cell("previous"));
      Object.assign(chain, begin);
      isPassed ||= chain.head === since;
    }
    const foreign = [...cells.keys()].find((name) => !auditNames.includes(name));
    if (foreign !== undefined) throw broken(`its hash does not cover ${quote(foreign)}`);
    if (cell("number") !== String(chain.count + 1))
      throw broken(`it is number ${cell("number")}, and ${chain.count + 1} was to come: lines are missing or moved`);
    if (cell("previous") !== chain.head) throw broken("it does not follow from the one before it");
    const made = readings(cells).map((reading) => hashLine(chain.head, (name) => reading.get(name) ?? ""));
    const hashes = { number: cell("number"), hash: cell("hash"), made };
    if (!made.includes(hashes.hash)) firstLines.set(hashes.number, line);
    chain.redacted.see(hashes, { step: cell("step"), replaced: cell("replaced") });
    chain.count += 1;
    chain.head = cell("hash");
    lines += 1;
    isPassed ||= chain.head === since;
    seal = cell("step") === sealStep ? sealIn(cell("request")) : undefined;
    // A journal's own step of that name says in which file the order is.
    if (cell("step") === orderStep && cell("replaced") === "") lastOrder = line;
  }
  const { changed } = chain.redacted;
  if (changed !== undefined) throw brokenLine(path, firstLines.get(changed) ?? 0, "it is not as it was exported");
  if (lastOrder !== undefined && seal === undefined) throw unsealed(path, lastOrder);
  const { count: before = 0, head = chainStart } = begin ?? {};
  const isWhole = before === 0 || (seal?.first === before + 1 && seal.from === head);
  if (!isWhole && since !== head) throw brokenLine(path, 1, `it is number ${before + 1}, and 1 was to come`);
  if (!isPassed) throw notFollowing(path);
  return { count: chain.count, head: chain.head, lines, archived: seal?.orders };
}

/** What an archive's last line says. */
interface Seal {
  readonly first: unknown;
  readonly from: unknown;
  readonly orders: number;
}

function sealIn(request: string): Seal | undefined {
  const value = readJson(request);
  if (value instanceof JsonError || !isJsonObject(value)) return undefined;
  const { first, from, orders } = value;
  return { first: numberOf(first), from, orders: numberOf(orders) };
}

function numberOf(cell: unknown): number {
  return cell instanceof Numeral ? Number(cell.text) : Number.NaN;
}

/** The chain's end before the first line of a file, which may begin anywhere in the chain. */
function beginOf(number: string, previous: string): ChainEnd {
  const count = Number(number) - 1;
  const isLater = Number.isSafeInteger(count) && count > 0 && /^[0-9a-f]{64}$/.test(previous);
  return isLater ? { count, head: previous } : { count: 0, head: chainStart };
}

/** Decides by the name's ending, or else by the first character: an archive may have any name. */
async function isJson(host: Host, path: string): Promise<boolean> {
  if (/\.(ndjson|jsonl)$/i.test(path)) return true;
  if (/\.csv$/i.test(path)) return false;
  try {
    for await (const chunk of host.files.chunks(path))
      return new TextDecoder().decode(chunk).trimStart().startsWith("{");
  } catch {
    // Reading the lines will report what is wrong.
  }
  return false;
}

function unsealed(path: string, line: number): Failure {
  return new Failure("mismatch", `${namePath(path)} is an archive without its seal: nothing seals line ${line}.`, {
    hint: "It was cut short, or lines were added behind the seal. Compare it with another copy of the archive.",
    reason: "not sealed",
  });
}

function notFollowing(path: string): Failure {
  return new Failure("mismatch", `No line of ${namePath(path)} follows the given head.`, {
    hint: "Lines are missing between them, or the head is of another journal.",
    reason: "another head",
  });
}

/** What the cells may have been: a leading quote before a formula's sign is the export's, or was there. */
function readings(cells: ReadonlyMap<string, string>): ReadonlyMap<string, string>[] {
  const guarded = [...cells].filter(([, text]) => guardedForm.test(text)).slice(0, guardedMaxCount);
  let all: ReadonlyMap<string, string>[] = [cells];
  for (const [name, text] of guarded) all = all.flatMap((one) => [new Map(one).set(name, text.slice(1)), one]);
  return all;
}

async function* csvLines(host: Host, path: string): AsyncGenerator<AuditLine> {
  const { header, rows } = await openSheet(host, path, { known: auditNames, required: auditNames });
  for await (const batch of rows)
    for (const { line, cells } of batch)
      yield { line, cells: new Map(header.map((name, at) => [name, cells[at] ?? ""])) };
}

async function* jsonLines(host: Host, path: string): AsyncGenerator<AuditLine> {
  let line = 0;
  for await (const text of linesOf(host, path)) {
    line += 1;
    if (text === "") continue;
    const value = readJson(text);
    if (value instanceof RepeatedName)
      throw brokenLine(path, line, "its hash does not cover a field that is there twice");
    if (value instanceof JsonError || !isJsonObject(value)) throw brokenLine(path, line, "it isn't a JSON object");
    const cells = Object.entries(value).map(([name, cell]): [string, string] => [
      name,
      cell instanceof Numeral ? cell.text : typeof cell === "string" ? cell : cell === null ? "" : JSON.stringify(cell),
    ]);
    yield { line, cells: new Map(cells) };
  }
}

/** Returns an error also for a repeated member: the hash covers only one of the two, and a reader may see the other. */
function readJson(text: string): JsonValue | JsonError {
  try {
    return decodeClaim(text);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
}

async function* linesOf(host: Host, path: string): AsyncGenerator<string> {
  try {
    const limits = { isStrict: true, lineMaxChars };
    for await (const lines of textLines(host.files.chunks(path), limits)) yield* lines;
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure("usage", `The file ${namePath(path)} cannot be read: ${fileFailureOf(cause)}.`, {
      hint: "Give it a file of: partner journal export --events --save FILE.ndjson",
      cause,
    });
  }
}

function brokenLine(path: string, line: number, what: string): Failure {
  return new Failure("mismatch", `Line ${line} of ${namePath(path)} is broken: ${what}.`, {
    hint: "Export the history again and compare: partner journal export --events",
    reason: "broken chain",
  });
}
