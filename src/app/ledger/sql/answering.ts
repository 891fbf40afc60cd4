import type { SQLOutputValue } from "node:sqlite";
import { openLedger } from "../../../ledger/sqlite/open.ts";
import { LedgerQuery } from "../../../ledger/query/query.ts";
import type { FilledView, QueryScope } from "../../../ledger/query/views.ts";
import { filledViews } from "../../../ledger/query/views.ts";
import { listedRow } from "../../../movements/journal-report.ts";
import { digitsOf } from "../../../ledger/row-facts.ts";
import { stateFolder } from "../../../profiles/folders.ts";
import type { Row } from "../../../report/report.ts";
import { Failure } from "../../../values/failure.ts";
import { Numeral } from "../../../values/json.ts";
import { searchRow } from "../../../webhooks/inbox/inbox-report.ts";
import { payloadText } from "../../../webhooks/listen/event-line.ts";
import { seenCurrencies } from "../../seen/wallets.ts";
import type { Session } from "../../session.ts";
import { fromInbox } from "../../webhooks/inbox.ts";
import { keptUnder } from "../kept-scope.ts";
import type { SqlQuestion } from "./question.ts";

/** The size of one write. */
const pieceChars = 64 * 1024;

type Cells = readonly (string | number | null)[];

/**
 * Answers a query on stdout, in a process that may be ended at any moment: a line with the names, a line for each
 * row, and a last one that says how it went.
 */
export async function answerQuestion(session: Session, { sql, scope, asOf }: SqlQuestion): Promise<void> {
  const { stdout } = session.host;
  let piece = "";
  const write = async (line: string) => {
    piece += `${line}\n`;
    if (piece.length < pieceChars) return;
    await stdout.write(piece);
    piece = "";
  };
  try {
    const of = { scope: scope === undefined ? undefined : await keptIn(session, scope), asOf };
    const query = await LedgerQuery.open(session.host, stateFolder(session.host), of);
    try {
      for (const view of viewsIn(sql)) await query.fill(view, rowsFor(view, session, of));
      const { columns, rows } = query.answer(sql);
      await write(JSON.stringify(columns));
      for (const row of rows) await write(JSON.stringify(row.map((value) => cellOf(value))));
    } finally {
      query.close();
    }
    await write("{}");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { ending, message, hint } = error;
    await write(JSON.stringify({ ending, message, hint }));
  }
  await stdout.write(piece);
}

async function keptIn({ host }: Session, scope: string): Promise<string> {
  const ledger = await openLedger(host, stateFolder(host));
  try {
    return await keptUnder(scope, ledger);
  } finally {
    await ledger.close();
  }
}

/** The views to be filled that the statement may name. */
function viewsIn(sql: string): FilledView[] {
  const views: readonly FilledView[] = ["days", "orders", "events"];
  return views.filter((view) => new RegExp(`\\b${view}\\b`, "i").test(sql));
}

function rowsFor(view: FilledView, session: Session, scope: QueryScope): AsyncGenerator<Cells> {
  if (view === "days") return days(session, scope);
  return view === "orders" ? orders(session, scope) : events(session);
}

async function* days(session: Session, { scope, asOf }: QueryScope): AsyncGenerator<Cells> {
  const ledger = await openLedger(session.host, stateFolder(session.host));
  try {
    for (const account of await ledger.accounts(scope, asOf))
      for (const { day, opening, credits, debits, fees, closing } of await ledger.days(account, { asOf }))
        yield [
          account.accountNo,
          day,
          ...[opening, credits, debits, fees, closing].map((sum) => sum?.trimmed(digitsOf(account.currency)) ?? null),
        ];
  } finally {
    await ledger.close();
  }
}

/** The orders of the journal, as they are now. */
async function* orders(session: Session, { scope }: QueryScope): AsyncGenerator<Cells> {
  const journal = await session.journal("read");
  const currencyOf = await seenCurrencies(session.host);
  for await (const movement of journal.list(scope === undefined ? {} : { scope })) {
    const { from, to, openedAt, settledAt, ...row } = listedRow(movement, currencyOf);
    const cells: Row = {
      ...row,
      payer: from,
      receiver: to,
      opened_at: openedAt,
      settled_at: settledAt,
      transaction_id: movement.transactionId,
    };
    yield filledViews.orders.map((name) => textOf(cells[name]));
  }
}

async function* events(session: Session): AsyncGenerator<Cells> {
  for await (const kept of fromInbox(session, (inbox) => inbox.list())) {
    const { receivedAt, ...row } = searchRow(kept);
    const cells: Row = { ...row, received_at: receivedAt, payload: payloadText(kept.body) ?? null };
    // What an event lacks is null, as in a shared ledger.
    yield filledViews.events.map((name) => textOf(cells[name]) || null);
  }
}

function textOf(value: Row[string]): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return value;
  return value instanceof Numeral ? value.text : JSON.stringify(value);
}

/** Whole numbers with all digits; bytes as hexadecimal text; numbers that JSON lacks as text. */
function cellOf(value: SQLOutputValue): unknown {
  if (typeof value === "bigint") return JSON.rawJSON(value.toString());
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}
