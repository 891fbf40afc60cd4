import { decodeJson } from "../../../contract/wire.ts";
import type { Spool } from "../../../host/files/files.ts";
import type { Row, RowsReport } from "../../../report/report.ts";
import { Failure, interruption } from "../../../values/failure.ts";
import type { Field, FieldKind } from "../../../values/field.ts";
import type { JsonValue } from "../../../values/json.ts";
import { isJsonObject, Numeral } from "../../../values/json.ts";
import { textLines } from "../../../values/text/text-lines.ts";
import { sharedChoice } from "../../journal/choice.ts";
import type { Session } from "../../session.ts";
import { thisProgram } from "../../simulator/other-program.ts";
import type { SqlQuestion } from "./question.ts";
import { amountNames, answerMaxBytes, tooLong, tooMuch } from "./answer.ts";
import { answeringVariable, endSchema } from "./question.ts";

/** How much of an answer stays in memory. */
const memoryMaxBytes = 16 * 1024 * 1024;
/** Above it, an exit code names the signal that ended a process. */
const signalExits = 128;

const countNames = /^(?:\w+_minor|is_fee)$/;

/** The result of a statement, and the temporary file that it is read from. */
export interface LedgerAnswer {
  readonly report: RowsReport & { readonly columns: readonly Field[]; readonly rows: AsyncIterable<readonly Row[]> };
  readonly spool: Spool;
}

/**
 * Runs a statement in a child process: an endless statement blocks its thread, and only a process can be ended by
 * Ctrl-C or after a time limit. The result is shown only when it is complete.
 * @returns a report that reads from the temporary file, which the caller discards after it
 * @throws {Failure} usage where the statement cannot be run, or takes too long | setup | unavailable | interrupted
 */
export async function askLedger(session: Session, question: SqlQuestion): Promise<LedgerAnswer> {
  const spool = session.host.files.spool(memoryMaxBytes);
  try {
    await (
      await answererFor(session)
    )(spool, session, question);
    const [head, first] = await beginningOf(spool);
    const names = uniqueNames(head.map(String));
    const report: LedgerAnswer["report"] = {
      shape: "rows",
      columns: names.map((name, index) => ({ name, kind: kindOf(name, first[index]) })),
      rows: rowsIn(spool, names),
      whenEmpty: "The query returns no rows.",
    };
    return { report, spool };
  } catch (error) {
    await spool.discard();
    throw error;
  }
}

/** A shared ledger needs no child process: its server ends long statements by itself. */
async function answererFor({ journalChoice }: Session): Promise<typeof answerInto> {
  const shared = await sharedChoice(journalChoice);
  if (shared === undefined) return answerInto;
  const { answerShared } = await import("./shared-answer.ts");
  return (spool, session, question) => answerShared({ spool, session, shared, question });
}

async function answerInto(spool: Spool, session: Session, question: SqlQuestion): Promise<void> {
  const { host } = session;
  const [command, ...before] = thisProgram(session);
  const profile = session.profileFlag === undefined ? [] : ["--profile", session.profileFlag];
  let [written, bytes]: [Promise<void>, number] = [Promise.resolve(), 0];
  const full = new AbortController();
  let exit: number;
  try {
    ({ exit } = await host.run({
      command,
      args: [...before, "ledger", "sql", "-", "--quiet", ...profile],
      environment: { [answeringVariable]: "1", PARTNER_OUTPUT: "" },
      streams: "capture",
      input: JSON.stringify(question),
      onOutput(piece) {
        bytes += piece.length;
        written = written.then(() => spool.write(piece));
        written.catch(() => full.abort());
      },
      timeoutMs: session.timeoutMs,
      maxBytes: answerMaxBytes,
      ownGroup: true,
      signal: AbortSignal.any([host.signal, full.signal]),
    }));
  } catch (error) {
    if (host.signal.aborted) throw interruption(host.signal);
    throw bytes > answerMaxBytes ? tooMuch(error) : tooLong(session.timeoutMs, error);
  }
  if (host.signal.aborted) throw interruption(host.signal);
  try {
    await written;
    await spool.flush();
  } catch (cause) {
    throw new Failure("unavailable", "The answer could not be stored in the temporary folder.", {
      hint: "Make room there, or set TMPDIR to a folder with room.",
      cause,
    });
  }
  await checkEnd(spool, exit);
}

/** @throws {Failure} what the answer ends with | unavailable where it was cut off */
async function checkEnd(spool: Spool, exit: number): Promise<void> {
  let last = "";
  for await (const lines of textLines(spool.chunks())) last = lines.at(-1) ?? last;
  const value: unknown = isObjectText(last) ? JSON.parse(last) : undefined;
  const { success, data } = endSchema.safeParse(value);
  if (!success && exit > signalExits)
    throw new Failure("unavailable", "The process that ran the query was ended before it was done.", {
      hint: "It may have needed more memory than there is: ask for less at once.",
    });
  if (!success) throw new Error("the process that ran the query ended before it was done");
  const { ending, message = "", hint } = data;
  if (ending !== undefined) throw new Failure(ending, message, { hint });
}

/** True for the last line: rows are arrays, and only the end is an object. */
function isObjectText(line: string): boolean {
  return line.startsWith("{") && line.endsWith("}");
}

/** The names, and the first row, which may be empty. */
async function beginningOf(spool: Spool): Promise<[names: readonly JsonValue[], first: readonly JsonValue[]]> {
  const found: (readonly JsonValue[])[] = [];
  for await (const lines of textLines(spool.chunks()))
    for (const line of lines) {
      const value = isObjectText(line) ? [] : decodeJson(line);
      found.push(Array.isArray(value) ? value : []);
      if (found.length === 2) return [found[0] ?? [], found[1] ?? []];
    }
  return [found[0] ?? [], []];
}

/** A repeated name would be lost in an object: the second one gets a number. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count += 1) unique = `${name}_${count}`;
    taken.add(unique);
    return unique;
  });
}

/** Amounts are texts in the views; a number is a count of something, or smallest units. */
function kindOf(name: string, value: JsonValue | undefined): FieldKind {
  if (value instanceof Numeral || countNames.test(name)) return "count";
  return amountNames.has(name) ? "amount" : "text";
}

async function* rowsIn(spool: Spool, names: readonly string[]): AsyncGenerator<readonly Row[]> {
  let isHead = true;
  for await (const lines of textLines(spool.chunks())) {
    const rows: Row[] = [];
    for (const line of lines) {
      if (!isHead && !isObjectText(line)) rows.push(rowOf(decodeJson(line), names));
      isHead = false;
    }
    if (rows.length > 0) yield rows;
  }
}

function rowOf(cells: JsonValue, names: readonly string[]): Row {
  if (!Array.isArray(cells) || isJsonObject(cells)) return {};
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null]));
}
