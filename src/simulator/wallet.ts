import { walletEntryFields } from "../contract/wallets.ts";
import type { Decimal } from "../values/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import { wallTime } from "../values/wall-time.ts";
import type { LedgerLine } from "./ledger.ts";
import { inFieldOrder, numeral, textsWithin } from "./row.ts";

/** What a wallet is called. Spec 2.4. */
export interface WalletName {
  readonly accountNo: string;
  readonly accountName: string;
  readonly type: string;
  readonly currency: string;
  readonly countryCode: string;
}

/** Money that came into a wallet (above zero) or left it. */
export interface WalletMovement {
  readonly amount: Decimal;
  readonly reference: string;
  readonly narration: string;
  readonly atMs: number;
  /** The original date where it is another than the moment of processing. */
  readonly txnDate?: string | undefined;
}

/** Rows from before, as JSON texts made on demand for the days asked for: a million of them take no memory. */
export type Past = (startDate: string, endDate: string) => Iterable<string>;
const noPast: Past = () => [];

/** A wallet with its statement. Its balance is its line in the ledger: there is no second truth. */
export class Wallet {
  readonly name: WalletName;
  /** What it held before its first row. */
  readonly opening: Numeral;
  readonly line: LedgerLine;
  /** Rows of the statement as they are served, oldest first. */
  readonly entries: JsonObject[] = [];
  readonly past: Past;

  constructor(name: WalletName, opening: Numeral, line: LedgerLine, past: Past = noPast) {
    this.name = name;
    this.opening = opening;
    this.line = line;
    this.past = past;
  }

  get balance(): Decimal {
    return this.line.balance;
  }

  /** Spec 2.4, 4.7: transfers go between wallets of type `DEFAULT DISBURSEMENT` and `DISBURSEMENT`. */
  get isDisbursement(): boolean {
    return this.name.type.endsWith("DISBURSEMENT");
  }

  /** Writes the row of a movement that the ledger has already. */
  record({ amount, reference, narration, atMs, txnDate }: WalletMovement): void {
    const none = new Numeral("0");
    const valueDate = wallTime(atMs);
    this.entries.push({
      tranRefNo: reference,
      valueDate,
      txnDate: txnDate ?? valueDate,
      narration,
      debitOrCredit: amount.sign < 0 ? "DR" : "CR",
      amountCredited: amount.sign < 0 ? none : numeral(amount),
      amountDebited: amount.sign < 0 ? numeral(amount.abs()) : none,
      balance: numeral(this.balance),
    });
  }

  /** Takes a row that was written elsewhere; where it names no balance it gets the one that now holds. */
  adopt(row: JsonObject): void {
    this.entries.push(inFieldOrder({ balance: numeral(this.balance), ...row }, walletEntryFields));
  }

  /** Rows as JSON texts. Spec 4.6, 8: both days included. Rows that arrive while it is read are left out. */
  *statement(startDate: string, endDate: string): Generator<string> {
    const now = this.entries.slice();
    yield* this.past(startDate, endDate);
    yield* textsWithin(now, startDate, endDate);
  }
}
