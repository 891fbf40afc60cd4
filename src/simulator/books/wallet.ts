import { walletEntryFields } from "../../contract/wallets.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import type { LedgerLine } from "./accounting.ts";
import type { RowChange } from "./row.ts";
import { unchangedRows, inFieldOrder, numeral, rowsWithin, textsOf } from "./row.ts";

/** The name of a wallet. Spec 2.4. */
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
  /** The original date where it differs from the time of processing. */
  readonly txnDate?: string | undefined;
  /** The time of processing that the row shows; default: `atMs`. */
  readonly valueDate?: string | undefined;
  /** True for a row on the opposite side, with a negative amount. */
  readonly isNegative?: boolean | undefined;
  /** A mark that contradicts the side of the amount. */
  readonly mark?: "CR" | "DR" | undefined;
}

/** Earlier rows as JSON texts, generated for the requested days: a million of them need no memory. */
export type EarlierRows = (startDate: string, endDate: string) => Iterable<string>;
const noEarlierRows: EarlierRows = () => [];

/** A wallet with its statement. Its balance is that of its ledger line, and kept nowhere else. */
export class Wallet {
  readonly name: WalletName;
  /** Its balance before its first row. */
  readonly opening: Numeral;
  readonly line: LedgerLine;
  /** Rows of the statement as they are served, oldest first. */
  readonly entries: JsonObject[] = [];
  readonly past: EarlierRows;

  constructor(name: WalletName, opening: Numeral, line: LedgerLine, past: EarlierRows = noEarlierRows) {
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

  /** As the list of wallets has it. Spec 2.4. */
  get listed(): object {
    const { accountNo, accountName, type, currency, countryCode } = this.name;
    return { accountNo, accountName, type, balance: this.balance, currency, countryCode };
  }

  /** Adds the row of a movement that the ledger has already, and returns it. */
  record({ amount, reference, narration, atMs, isNegative = false, ...said }: WalletMovement): JsonObject {
    const none = new Numeral("0");
    const { valueDate = wallTime(atMs) } = said;
    const isDebit = amount.sign < 0 !== isNegative;
    const row: JsonObject = {
      tranRefNo: reference,
      valueDate,
      txnDate: said.txnDate ?? valueDate,
      narration,
      debitOrCredit: said.mark ?? (isDebit ? "DR" : "CR"),
      amountCredited: isDebit ? none : numeral(amount),
      amountDebited: isDebit ? numeral(amount.negate()) : none,
      balance: numeral(this.balance),
    };
    this.entries.push(row);
    return row;
  }

  /** Adds a row from a seed or state file; without a balance it gets the current one. */
  adopt(row: JsonObject): void {
    this.entries.push(inFieldOrder({ balance: numeral(this.balance), ...row }, walletEntryFields));
  }

  /**
   * Rows as JSON texts. Spec 4.6, 8: both days included. Rows that are added while it is read are not included.
   * @param shown changes rows before they are served, except those of `past`
   */
  *statement(startDate: string, endDate: string, shown: RowChange = unchangedRows): Generator<string> {
    const now = this.entries.slice();
    yield* this.past(startDate, endDate);
    yield* textsOf(shown(rowsWithin(now, startDate, endDate)));
  }
}
