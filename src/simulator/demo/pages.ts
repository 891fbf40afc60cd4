import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";

/** What a row of the demo says, before it has its wire format. */
export interface DemoRow {
  readonly reference: string;
  /** `YYYY-MM-DD HH:mm:ss` */
  readonly at: string;
  readonly narration: string;
  readonly direction: "in" | "out";
  /** The digits to be served. */
  readonly amount: string;
  readonly txnDate?: string;
  /** Fields that the specification doesn't have, or specifies differently. */
  readonly extra?: JsonObject;
}

/** A row of a merchant account, with the payer where known. */
export interface DemoMerchantRow extends Omit<DemoRow, "txnDate"> {
  readonly transactionId: string | null;
  readonly paymentReference: string | null;
  readonly sender?: { readonly accountNo: string; readonly name: string | null; readonly bank: string | null };
}

/** The statements of the demo's accounts while its days are written, by account number. */
export class DemoPages {
  readonly #rows = new Map<string, JsonObject[]>();

  wallet(accountNo: string, row: DemoRow): void {
    const amount = new Numeral(row.amount);
    const none = new Numeral("0");
    this.#page(accountNo).push({
      tranRefNo: row.reference,
      valueDate: row.at,
      txnDate: row.txnDate ?? row.at,
      narration: row.narration,
      debitOrCredit: row.direction === "in" ? "CR" : "DR",
      amountCredited: row.direction === "in" ? amount : none,
      amountDebited: row.direction === "in" ? none : amount,
      ...row.extra,
    });
  }

  merchant(accountNo: string, row: DemoMerchantRow): void {
    const amount = new Numeral(row.amount);
    const none = new Numeral("0");
    const moment = `${row.at.replace(" ", "T")}+03:00`;
    this.#page(accountNo).push({
      transactionId: row.transactionId,
      reference: row.reference,
      paymentReference: row.paymentReference,
      creditOrDebit: row.direction === "in" ? "CREDIT" : "DEBIT",
      transactionDate: moment,
      valueDate: moment,
      narration: row.narration,
      description: row.narration,
      currency: "TZS",
      amountCredit: row.direction === "in" ? amount : none,
      amountDebit: row.direction === "in" ? none : amount,
      senderAccountNo: row.sender?.accountNo ?? null,
      senderAccountName: row.sender?.name ?? null,
      senderBankIdentifier: row.sender?.bank ?? null,
    });
  }

  /**
   * An account's rows up to that moment, `YYYY-MM-DD HH:mm:ss`, oldest first; rows of the same second keep their order.
   */
  upTo(accountNo: string, now: string): JsonObject[] {
    return this.#page(accountNo)
      .filter((row) => momentOf(row) <= now)
      .sort((one, other) => (momentOf(one) < momentOf(other) ? -1 : momentOf(one) > momentOf(other) ? 1 : 0));
  }

  #page(accountNo: string): JsonObject[] {
    const page = this.#rows.get(accountNo) ?? [];
    this.#rows.set(accountNo, page);
    return page;
  }
}

function momentOf({ valueDate }: JsonObject): string {
  return typeof valueDate === "string" ? valueDate.slice(0, "YYYY-MM-DD HH:mm:ss".length).replace("T", " ") : "";
}
