import { createServer } from "node:http";
import { join } from "node:path";
import { temporaryFolder } from "../memory-host.ts";
import { start } from "../host/servers.ts";
import type { World } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { run, words } from "../partner.ts";

/** A row of the service's books, in the order in which rows were booked. */
export interface Line {
  readonly ref: string;
  /** Its value date. */
  readonly day: string;
  /** The amount that it adds, below zero for a debit; default: 100. */
  readonly amount?: number;
  readonly narration?: string;
  /** True: its balance counts, but no statement shows it yet. */
  readonly isHidden?: boolean;
  /** Fields of this row on top of the usual ones. */
  readonly more?: Readonly<Record<string, string>>;
  /** By how much the balance jumps before it, without a row that explains it. */
  readonly jump?: number;
  /** A text instead of its amount. */
  readonly unread?: string;
}

/** A wallet of the service on one day. */
export interface WalletBooks {
  readonly lines: readonly Line[];
  /** The balance that it gives; default: the balance after the last row. */
  readonly balance?: number;
  /** True: rows come newest first. */
  readonly isNewestFirst?: boolean;
  /** True: rows come by value date, though their balances follow in the order of booking. */
  readonly isByValueDate?: boolean;
  /** Sends this many rows, and then nothing more until the connection ends. */
  readonly pausesAfter?: number;
  /** Default: TZS. */
  readonly currency?: string;
  /** True: it refuses every request for the statement. */
  readonly isDown?: boolean;
  /** True: the list of wallets has it, but its balance and its statement are not found. */
  readonly isListedOnly?: boolean;
}

/** Version 3 of the stored format: one acceptance for each row and side. */
export const toThirdVersion = `CREATE TABLE accepted (
    entry INTEGER NOT NULL REFERENCES entries (number),
    side TEXT NOT NULL CHECK (side IN ('before', 'after')),
    gap TEXT NOT NULL,
    evidence TEXT NOT NULL,
    accepted_by TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    PRIMARY KEY (entry, side)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO accepted SELECT entry, side, gap, evidence, accepted_by, accepted_at FROM acceptances;
  DROP TABLE acceptances;
  DROP TABLE closures;
  PRAGMA user_version = 3`;

/** How a run ended, and what the service was asked. */
type Served = Run & { readonly asked: readonly string[]; readonly requests: readonly string[] };

/** A service with wallets whose books a test writes, and a folder with a ledger of them. */
export async function ledgerDesk() {
  const folder = temporaryFolder();
  let books: Readonly<Record<string, WalletBooks>> = {};
  let asked: string[] = [];
  let requests: string[] = [];
  let serviceDay: string | undefined;
  let notFound = '{"statusCode":404,"reason":"NOT_FOUND","details":{}}';
  const { promise: paused, resolve: pause } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => (body += String(bytes)));
    request.on("end", () => {
      requests.push(`${request.method} ${request.url}`);
      response.setHeader("content-type", "application/json");
      response.sendDate = false;
      if (serviceDay !== undefined) response.setHeader("date", new Date(`${serviceDay}T09:00:00Z`).toUTCString());
      if (request.url === "/wallet") return void response.end(JSON.stringify(Object.entries(books).map(listed)));
      const accountNo = /"accountNo":"([^"]+)"/.exec(body)?.[1] ?? "";
      const wallet = books[accountNo];
      if (wallet === undefined || wallet.isListedOnly === true) {
        response.statusCode = 404;
        return void response.end(notFound);
      }
      if (request.url === "/wallet/balance") return void response.end(balanceOf(accountNo, wallet));
      const [, first = "", last = ""] = /"startDate":"([\d-]+)","endDate":"([\d-]+)"/.exec(body) ?? [];
      asked.push(`${accountNo} ${first} ${last}`);
      if (wallet.isDown === true) {
        response.statusCode = 400;
        return void response.end('{"statusCode":400,"reason":"VALIDATION_ERROR","details":{}}');
      }
      const text = serviceDay !== undefined && last > serviceDay ? "[]" : statementOf(wallet, first, last);
      if (wallet.pausesAfter === undefined) return void response.end(text);
      response.write(text.split("}").slice(0, wallet.pausesAfter).join("}"));
      return pause();
    });
  });
  const port = await start(server);
  const environment = {
    PARTNER_BASE_URL: `http://127.0.0.1:${port}`,
    PARTNER_ENVIRONMENT: "sandbox",
    PARTNER_ACCOUNT_ID: "a",
    PARTNER_SECRET_KEY: "secret-key",
    PARTNER_STATE_DIR: join(folder, "state"),
  };
  return {
    folder,
    environment,
    /** Resolves when a statement pauses. */
    paused,
    /** Sets the wallets of the service from now on, by number. */
    write: (wallets: Readonly<Record<string, WalletBooks>>) => void (books = wallets),
    /** Sets the body of every 404 from now on. */
    notFoundAs: (body: string) => void (notFound = body),
    /** Sets the service's own day, which dates its answers. It answers periods that end later without rows. */
    serviceOn: (day: string) => void (serviceDay = day),
    /** @returns with the statements that the service was asked for (account, first and last day), and all requests */
    onDay: async (day: string, line: string, world: World = {}): Promise<Served> => {
      [asked, requests] = [[], []];
      const now = Date.parse(`${day}T09:00:00Z`);
      const ended = await run(words(line), { now, ...world, environment: { ...environment, ...world.environment } });
      return { ...ended, asked, requests };
    },
  };
}

function listed([accountNo, wallet]: [string, WalletBooks]) {
  return {
    accountNo,
    accountName: "SHOP",
    type: "DISBURSEMENT",
    balance: closingOf(wallet),
    currency: wallet.currency ?? "TZS",
  };
}

function balanceOf(accountNo: string, wallet: WalletBooks): string {
  const balance = closingOf(wallet);
  const currencyCode = wallet.currency ?? "TZS";
  return JSON.stringify({ availableBalance: balance, currentBalance: balance, accountNo, currencyCode });
}

function closingOf({ lines, balance }: WalletBooks): number {
  return balance ?? lines.reduce((sum, { amount = 100, jump = 0 }) => sum + amount + jump, 0);
}

function statementOf(
  { lines, isNewestFirst = false, isByValueDate = false }: WalletBooks,
  first: string,
  last: string,
): string {
  let balance = 0;
  const rows = lines.map((line) => {
    const { amount = 100, jump = 0 } = line;
    balance += jump + amount;
    return { line, text: rowOf(line, amount, balance) };
  });
  const shown = rows.filter(({ line }) => line.isHidden !== true && line.day >= first && line.day <= last);
  if (isByValueDate) shown.sort((one, other) => one.line.day.localeCompare(other.line.day));
  const texts = shown.map(({ text }) => text);
  return `[${(isNewestFirst ? texts.toReversed() : texts).join(",")}]`;
}

function rowOf({ ref, day, narration = "rent", more = {}, unread }: Line, amount: number, balance: number): string {
  const [credit, debit] = [Math.max(amount, 0), Math.max(-amount, 0)].map((each) =>
    each > 0 && unread !== undefined ? JSON.stringify(unread) : each.toFixed(2),
  );
  const at = `${day} 10:00:00`;
  const texts = {
    tranRefNo: ref,
    valueDate: at,
    txnDate: at,
    narration,
    debitOrCredit: amount < 0 ? "DR" : "CR",
    ...more,
  };
  const amounts = `"amountCredited":${credit},"amountDebited":${debit},"balance":${balance.toFixed(2)}`;
  return `${JSON.stringify(texts).slice(0, -1)},${amounts}}`;
}
