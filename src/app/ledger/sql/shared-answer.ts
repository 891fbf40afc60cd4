import type { Spool } from "../../../host/files/files.ts";
import type { PostgresTable } from "../../../host/databases/postgres.ts";
import { keptName } from "../../../journal/account-name.ts";
import { askShared } from "../../../ledger/postgres/query.ts";
import type { SharedChoice } from "../../journal/choice.ts";
import type { Session } from "../../session.ts";
import { amountNames, answerMaxBytes, tooLong, tooMuch } from "./answer.ts";
import type { SqlQuestion } from "./question.ts";

/** OIDs of PostgreSQL's types. */
const booleanType = 16;
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700]);

/**
 * Answers a statement from the ledger that hosts share, in the same lines as for the ledger of one machine: the names,
 * then each row. A boolean is 1 or 0, as it is there.
 * @throws {Failure} usage | setup | unavailable
 */
export async function answerShared(of: {
  readonly spool: Spool;
  readonly session: Session;
  readonly shared: SharedChoice;
  readonly question: SqlQuestion;
}): Promise<void> {
  const { spool, session, shared, question } = of;
  const { timeoutMs } = session;
  const asked = { ...question, keptAs: keptName, timeoutMs, tooLong: (cause: unknown) => tooLong(timeoutMs, cause) };
  let [bytes, isFirst] = [0, true];
  await askShared(session.host, shared, asked, async (page) => {
    const names = isFirst ? [JSON.stringify(page.columns.map(({ name }) => name))] : [];
    isFirst = false;
    const piece = new TextEncoder().encode([...names, ...page.rows.map((row) => lineOf(row, page))].join("\n") + "\n");
    bytes += piece.length;
    if (bytes > answerMaxBytes) throw tooMuch(undefined);
    await spool.write(piece);
  });
  await spool.flush();
}

function lineOf(row: PostgresTable["rows"][number], { columns }: PostgresTable): string {
  const cells = row.map((text, index) => {
    const { name = "", type = 0 } = columns[index] ?? {};
    if (text === null) return "null";
    if (type === booleanType) return text === "t" ? "1" : "0";
    const isNumber = numberTypes.has(type) && !amountNames.has(name) && Number.isFinite(Number(text));
    return isNumber ? text : JSON.stringify(text);
  });
  return `[${cells.join(",")}]`;
}
