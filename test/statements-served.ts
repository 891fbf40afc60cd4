import type { Socket } from "node:net";
import { decodeJson } from "../src/contract/wire.ts";
import { dayInDarEsSalaam } from "../src/values/time/day.ts";
import { isJsonObject } from "../src/values/json.ts";
import { answer } from "./contract/recorder.ts";
import { environmentAt } from "./movements/service.ts";
import type { MoneyRequest, Reaction, ReadRequest } from "./movements/teller.ts";
import { saying, teller } from "./movements/teller.ts";

// A service whose statements are written by hand, row by row. It books nothing: it shows the rows of the test,
// whatever was ordered, so a statement can say anything about an order.

/** The wallets of `kinds`, and a pair of each currency. Spec 2.4. */
export const wallets = [
  ["9000112233", "DEFAULT DISBURSEMENT", "TZS"],
  ["9000112244", "DISBURSEMENT", "TZS"],
  ["0560066551200", "DEFAULT COLLECTION", "TZS"],
  ["9000445566", "DEFAULT DISBURSEMENT", "KES"],
  ["9000445577", "DISBURSEMENT", "KES"],
] as const;

/** A row by its fields, or the JSON text of one, byte for byte: repeated names, amounts as text, no amounts. */
export type WrittenRow = string | Partial<Readonly<Record<RowField, string | number | null>>>;
type RowField =
  | "tranRefNo"
  | "valueDate"
  | "txnDate"
  | "narration"
  | "debitOrCredit"
  | "amountCredited"
  | "amountDebited"
  | "balance";

/** A statement: its rows, or the whole answer of the service, byte for byte. */
export type WrittenStatement = readonly WrittenRow[] | { readonly answer: string };

/** A request for a statement. */
export interface AskedStatement {
  readonly accountNo: string;
  readonly startDate: string;
  readonly endDate: string;
}

/** A statement whose answer waits until it is released. */
export interface HeldStatement {
  /** Resolves when a request for it has arrived. */
  readonly asked: Promise<void>;
  release(): void;
}

export interface StatementService {
  readonly origin: string;
  /** For a run that uses it; goes into `openTill`. */
  readonly environment: Record<string, string>;
  /** All requests to move money that arrived. */
  readonly orders: readonly MoneyRequest[];
  /** All requests for statements, in order. */
  readonly asked: readonly AskedStatement[];
  /** Every other read, as `GET /wallet`. */
  readonly otherReads: readonly string[];
  /** Sets the statement of a wallet from now on. */
  write(accountNo: string, statement: WrittenStatement): void;
  /** Sets the answer to requests that move money from now on. */
  react(reaction: Reaction): void;
  /** Makes all statements of that wallet wait. */
  hold(accountNo: string): HeldStatement;
  /** Makes the list of wallets wait. */
  holdWallets(): HeldStatement;
  /** Sets the list of wallets from now on, as JSON text. */
  writeWallets(list: string): void;
}

export interface StatementSettings {
  /** By account number; any other wallet has no rows. */
  readonly statements?: Readonly<Record<string, WrittenStatement>> | undefined;
  /** The answer to requests that move money. Default: a 500, so that they are unknown. */
  readonly react?: Reaction | undefined;
  /** True: rows outside the requested days are served, too. */
  readonly ignoresPeriods?: boolean | undefined;
  /** The service's own time in milliseconds since 1970, for the dates of answers to reads. Default: no date. */
  readonly now?: number | undefined;
  /** True: a period that ends later than the service's day is answered without rows. */
  readonly hidesDaysToCome?: boolean | undefined;
}

/** Serves statements on this machine until the test is over. */
export async function serveStatements(settings: StatementSettings = {}): Promise<StatementService> {
  const { statements = {}, react = saying("500 Internal Server Error", ""), ignoresPeriods = false } = settings;
  const { now, hidesDaysToCome = false } = settings;
  const written = new Map(Object.entries(statements));
  const asked: AskedStatement[] = [];
  const otherReads: string[] = [];
  const gates = new Map<string, Gate>();
  let walletList: string | undefined;
  const reads = (socket: Socket, request: ReadRequest) => {
    const period = request.path === "/wallet/statement" ? askedIn(request.body) : undefined;
    if (period === undefined) otherReads.push(`${request.method} ${request.path}`);
    else asked.push(period);
    const list = request.path === "/wallet" ? walletList : undefined;
    const other = () => (list === undefined ? readOf(request) : answer("200 OK", list));
    const said = period === undefined ? other() : statementOf(written.get(period.accountNo), period);
    const gate = gates.get(period?.accountNo ?? request.path);
    const text = now === undefined ? said : said.replace("\r\n", `\r\nDate: ${new Date(now).toUTCString()}\r\n`);
    if (gate === undefined) socket.end(text);
    else gate.pass(() => socket.end(text));
  };
  const statementOf = (statement: WrittenStatement = [], period: AskedStatement): string => {
    if ("answer" in statement) return statement.answer;
    if (hidesDaysToCome && period.endDate > dayInDarEsSalaam(now ?? 0).toString()) return answer("200 OK", "[]");
    const rows = statement.map(textOf).filter((row) => ignoresPeriods || isWithin(row, period));
    return answer("200 OK", `[${rows.join(",")}]`);
  };
  const hold = (name: string): HeldStatement => {
    const gate = new Gate();
    gates.set(name, gate);
    return {
      asked: gate.reached,
      release() {
        gates.delete(name);
        gate.open();
      },
    };
  };
  const served = await teller({ react, reads });
  return {
    origin: served.origin,
    environment: environmentAt(served.origin),
    orders: served.requests,
    asked,
    otherReads,
    write: (accountNo, statement) => void written.set(accountNo, statement),
    react: (reaction) => served.react(reaction),
    hold,
    holdWallets: () => hold("/wallet"),
    writeWallets: (list) => void (walletList = list),
  };
}

/** A debit at noon of the tests' day; other fields as given. Spec 2.6. */
export function debit(amount: string | number, fields: Exclude<WrittenRow, string> = {}): string {
  return textOf({ debitOrCredit: "DR", amountCredited: 0, amountDebited: amount, ...fields });
}

/** A credit; otherwise the same. */
export function credit(amount: string | number, fields: Exclude<WrittenRow, string> = {}): string {
  return textOf({ debitOrCredit: "CR", amountCredited: amount, amountDebited: 0, ...fields });
}

/** The JSON text of a row. An amount that is a text of digits keeps them, and is a number. */
function textOf(row: WrittenRow): string {
  if (typeof row === "string") return row;
  const { valueDate = "2026-03-31 12:00:00" } = row;
  const whole = { tranRefNo: "FT26090000", valueDate, txnDate: valueDate, narration: "x", balance: 1, ...row };
  const members = Object.entries(whole).map(([name, value]) => `"${name}":${valueText(name, value)}`);
  return `{${members.join(",")}}`;
}

function valueText(name: string, value: string | number | null): string {
  const isAmount = name.startsWith("amount") || name === "balance";
  return isAmount && typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? value : JSON.stringify(value);
}

function isWithin(row: string, { startDate, endDate }: AskedStatement): boolean {
  const day = /"valueDate"\s*:\s*"([\d-]{10})/.exec(row)?.[1];
  return day === undefined || (day >= startDate && day <= endDate);
}

function readOf({ path, body }: ReadRequest): string {
  if (path === "/wallet") return answer("200 OK", `[${wallets.map(walletText).join(",")}]`);
  const [number = "", type = "", currency = ""] =
    wallets.find(([one]) => path === "/wallet/balance" && body.includes(`"${one}"`)) ?? [];
  if (number === "") return answer("404 Not Found", '{"statusCode":404,"reason":"NOT_FOUND","details":{}}');
  return answer(
    "200 OK",
    `{"availableBalance":1000000,"currentBalance":1000000,"accountStatus":"ACTIVE","accountNo":"${number}","accountName":"${number}","type":"${type}","currencyCode":"${currency}","countryCode":"${currency.slice(0, 2)}"}`,
  );
}

function walletText([accountNo, type, currency]: (typeof wallets)[number]): string {
  return `{"accountNo":"${accountNo}","accountName":"${accountNo}","type":"${type}","balance":1000000,"currency":"${currency}","countryCode":"${currency.slice(0, 2)}"}`;
}

function askedIn(body: string): AskedStatement {
  const document = decodeJson(body);
  const text = (name: string) => {
    const value = isJsonObject(document) ? document[name] : undefined;
    return typeof value === "string" ? value : "";
  };
  return { accountNo: text("accountNo"), startDate: text("startDate"), endDate: text("endDate") };
}

/** Holds everything until it is opened. */
class Gate {
  readonly #reached = Promise.withResolvers<void>();
  readonly #waiting: (() => void)[] = [];
  #isOpen = false;

  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  pass(act: () => void): void {
    this.#reached.resolve();
    if (this.#isOpen) act();
    else this.#waiting.push(act);
  }

  open(): void {
    this.#isOpen = true;
    for (const act of this.#waiting.splice(0)) act();
  }
}
