import { accountEntryFields } from "../../contract/accounts.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import type { LedgerLine } from "./accounting.ts";
import type { RowChange } from "./row.ts";
import { unchangedRows, inFieldOrder, numeral, rowsWithin, textsOf } from "./row.ts";

/** The name of a merchant collection account. Spec 2.2. */
export interface MerchantAccountName {
  readonly accountNo: string;
  readonly accountName: string;
  readonly branchCode: string;
  readonly currency: string;
  readonly status: string;
}

/** Money that came into a merchant account (above zero) or left it. */
export interface MerchantMovement {
  readonly amount: Decimal;
  readonly transactionId: string;
  readonly reference: string;
  readonly paymentReference: string | null;
  readonly narration: string;
  readonly atMs: number;
  readonly senderAccountNo: string | null;
}

/** A merchant collection account with its statement. */
export class MerchantAccount {
  readonly name: MerchantAccountName;
  /** Its balance before its first row. */
  readonly opening: Numeral;
  readonly line: LedgerLine;
  /** Rows of the statement as they are served, oldest first. */
  readonly entries: JsonObject[] = [];

  constructor(name: MerchantAccountName, opening: Numeral, line: LedgerLine) {
    this.name = name;
    this.opening = opening;
    this.line = line;
  }

  /** Both the available and the current balance: nothing is ever uncleared. */
  get balance(): Decimal {
    return this.line.balance;
  }

  /** Adds the row of a movement that the ledger has already, and returns it. */
  record(movement: MerchantMovement): JsonObject {
    const { amount, atMs } = movement;
    const none = new Numeral("0");
    const moment = isoDarEsSalaam(atMs);
    const row: JsonObject = {
      transactionId: movement.transactionId,
      reference: movement.reference,
      paymentReference: movement.paymentReference,
      creditOrDebit: amount.sign < 0 ? "DEBIT" : "CREDIT",
      transactionDate: moment,
      valueDate: moment,
      narration: movement.narration,
      description: movement.narration,
      currency: this.name.currency,
      amountCredit: amount.sign < 0 ? none : numeral(amount),
      amountDebit: amount.sign < 0 ? numeral(amount.abs()) : none,
      availableBalance: numeral(this.balance),
      currentBalance: numeral(this.balance),
      senderAccountNo: movement.senderAccountNo,
      senderAccountName: null,
      senderBankIdentifier: null,
    };
    this.entries.push(row);
    return row;
  }

  /** Adds a row from a seed or state file; without balances it gets the current one. */
  adopt(row: JsonObject): void {
    const balance = numeral(this.balance);
    const balances = { availableBalance: balance, currentBalance: balance };
    this.entries.push(inFieldOrder({ ...balances, ...row }, accountEntryFields));
  }

  /**
   * Rows as JSON texts. Spec 4.4, 8: both days included. Rows that are added while it is read are not included.
   * @param shown changes rows before they are served
   */
  statement(startDate: string, endDate: string, shown: RowChange = unchangedRows): Iterable<string> {
    return textsOf(shown(rowsWithin(this.entries.slice(), startDate, endDate)));
  }
}
