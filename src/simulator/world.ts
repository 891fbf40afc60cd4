import { isFeeReference } from "../contract/fee-row.ts";
import { tagOf } from "../contract/narration-tag.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { JsonObject, Numeral } from "../values/json.ts";
import type { Booking, BookingListener, RowLook } from "./books/booking.ts";
import type { Job } from "./scheduling/job.ts";
import { Prng } from "./prng.ts";
import { collectionFee, feeNarration, payoutFee } from "./books/fee.ts";
import type { LedgerLine } from "./books/accounting.ts";
import { Accounting } from "./books/accounting.ts";
import type { MerchantMovement } from "./books/merchant-account.ts";
import { MerchantAccount } from "./books/merchant-account.ts";
import { Postings } from "./books/postings.ts";
import type { CollectionRecord, PayoutRecord, RemittanceRecord } from "./books/record.ts";
import type { MerchantAccountSeed, Seed, WalletSeed } from "./demo/seed.ts";
import { effectOf } from "./demo/seed.ts";
import type { EarlierRows, WalletMovement, WalletName } from "./books/wallet.ts";
import { Wallet } from "./books/wallet.ts";

/** Called for a new row of a merchant account, which `transaction.created` reports. Spec 6.2. */
export type MerchantEntryListener = (account: MerchantAccount, entry: JsonObject) => void;

const collectionCurrency = "TZS";

/** An order's movement, with the service's id. */
type OrderedMovement = WalletMovement & { readonly transactionId: string };

type BankMovement = Omit<MerchantMovement, "paymentReference">;

/**
 * The state of the simulated service: wallets, merchant accounts, their rows, the ledger behind them, collections,
 * remittances, and scheduled jobs. Tests compare the program with it directly, without the API. Every valid request for
 * money moves it: spec 4.7 and 4.10 have no deduplication.
 */
export class World {
  readonly seedNumber: number;
  readonly draw: Prng;
  readonly wallets = new Map<string, Wallet>();
  readonly accounts = new Map<string, MerchantAccount>();
  readonly collections = new Map<string, CollectionRecord>();
  readonly payouts = new Map<string, PayoutRecord>();
  readonly remittances = new Map<string, RemittanceRecord>();
  readonly chores = new Set<Job>();
  /**
   * Orders booked since the start, and how often each is in force: 1, or 0 once it was reversed. Not in state files.
   */
  readonly bookings = new Map<Booking, number>();
  readonly #ledger = new Accounting();
  readonly #postings = new Postings(this.#ledger, this.accounts);
  readonly #listeners: MerchantEntryListener[] = [];
  readonly #bookingListeners: BookingListener[] = [];

  constructor(seed: Seed, seedNumber: number, draw = Prng.of(seedNumber, "ids")) {
    this.seedNumber = seedNumber;
    this.draw = draw;
    for (const wallet of seed.wallets) this.#openWallet(wallet);
    for (const account of seed.accounts) this.#openAccount(account);
  }

  /** The wallet of that number, which must exist. */
  wallet(accountNo: string): Wallet {
    return known(this.wallets.get(accountNo), accountNo);
  }

  /** The merchant account of that number, which must exist. */
  account(accountNo: string): MerchantAccount {
    return known(this.accounts.get(accountNo), accountNo);
  }

  /** The current ledger. In each currency all lines add up to zero. */
  ledger(): readonly LedgerLine[] {
    return this.#ledger.lines();
  }

  /** Calls back for every new row of a merchant account, synchronously. */
  onMerchantEntry(listener: MerchantEntryListener): void {
    this.#listeners.push(listener);
  }

  /** Adds a wallet with earlier rows that are made on demand. */
  addWallet(name: WalletName, opening: Numeral, past?: EarlierRows): Wallet {
    const line = this.#ledger.line("wallet", name.currency, name.accountNo);
    this.#ledger.post(decimalOf(opening.text), this.#ledger.outside(name.currency), line);
    const wallet = new Wallet(name, opening, line, past);
    this.wallets.set(name.accountNo, wallet);
    return wallet;
  }

  /** Calls back for every booked order, not for other bookings. */
  onBooking(listener: BookingListener): void {
    this.#bookingListeners.push(listener);
  }

  /** Books a transfer. Spec 4.7. Both statements show the same reference and narration. */
  transfer(from: Wallet, to: Wallet, { transactionId, ...movement }: OrderedMovement): void {
    const { amount, reference: rowReference, narration } = movement;
    const names = { reference: tagOf(narration) || rowReference, transactionId, rowReference, narration };
    const accounts = { account: from.name.accountNo, to: to.name.accountNo };
    this.#announce(
      { endpoint: "transfer", ...accounts, amount: amount.toString(), ...names },
      this.#postings.between(from, to, movement),
    );
  }

  /** Books a withdrawal. Spec 4.10. */
  withdraw(wallet: Wallet, { transactionId, ...movement }: OrderedMovement): void {
    const { amount, reference, narration } = movement;
    const names = { reference, transactionId, rowReference: reference, narration };
    this.#announce(
      { endpoint: "withdraw", account: wallet.name.accountNo, amount: amount.toString(), ...names },
      this.#postings.toMainAccount(wallet, movement),
    );
  }

  /** The wallet that receives collections. */
  get collectionWallet(): Wallet | undefined {
    return this.collectionWalletOf();
  }

  /** The wallet that receives collections in a currency. */
  collectionWalletOf(currency = collectionCurrency): Wallet | undefined {
    return [...this.wallets.values()].find(
      ({ name }) => name.type === "DEFAULT COLLECTION" && name.currency === currency,
    );
  }

  /** The default disbursement wallet in TZS, which has endpoints of its own. */
  get payoutWallet(): Wallet | undefined {
    return [...this.wallets.values()].find(
      ({ name }) => name.type === "DEFAULT DISBURSEMENT" && name.currency === "TZS",
    );
  }

  /**
   * A receiver is paid: the money leaves the wallet, which pays the fee, too. The paying row has an id of the service
   * as its reference; only the fee's row has our reference, with `-PAYOUT`, and names that id.
   */
  payOutOf(
    wallet: Wallet,
    { transactionRef: reference, transactionId, narration, ...payout }: PayoutRecord,
    atMs: number,
  ): void {
    const amount = decimalOf(payout.amount);
    const names = { reference, transactionId, rowReference: transactionId, narration };
    const rows = this.#postings.toOutside(wallet, { amount, reference: transactionId, narration, atMs });
    const fee = payoutFee(amount);
    const feeRow = {
      reference: `${reference}-PAYOUT`,
      narration: `${feeNarration(reference, transactionId)} ${narration}`,
    };
    rows.push(this.#postings.fee(wallet, { amount: fee, ...feeRow, atMs }));
    this.#announce({ endpoint: "payout", account: wallet.name.accountNo, amount: payout.amount, ...names }, rows);
  }

  /**
   * A subscriber has paid: the cash goes to the merchant account, the wallet is credited, and pays the fee. Spec 2.6:
   * the fee's row has the original reference with `-PAYIN`.
   */
  payIn(collection: CollectionRecord, wallet: Wallet, atMs: number): void {
    const { transactionRef: reference, transactionId, narration, transactionDate: txnDate, msisdn } = collection;
    const amount = decimalOf(collection.amount);
    const names = { reference, transactionId, rowReference: reference, narration };
    const rows = this.#postings.collect(wallet, { amount, reference, narration, atMs, txnDate });
    const fee = collectionFee(amount);
    const feeRow = { reference: `${reference}-PAYIN`, narration: feeNarration(reference, transactionId) };
    rows.push(this.#postings.fee(wallet, { amount: fee, ...feeRow, atMs, txnDate }));
    rows.push(...this.#collectCash(wallet, { amount, ...names, atMs, senderAccountNo: msisdn }));
    this.#announce({ endpoint: "collect", account: wallet.name.accountNo, amount: collection.amount, ...names }, rows);
  }

  /**
   * Reverses a booking, or books it once more: real bookings with rows of their own, on every account of the first one.
   * A fee is not refunded.
   */
  bookAgain(booking: Booking, way: "back" | "forth", look: RowLook, atMs: number): void {
    const wallet = this.wallet(booking.account);
    const inForce = this.bookings.get(booking);
    if (inForce !== undefined) this.bookings.set(booking, inForce + (way === "back" ? -1 : 1));
    const amount = way === "back" ? decimalOf(booking.amount).negate() : decimalOf(booking.amount);
    const movement = { ...look, amount, atMs };
    if (booking.endpoint === "transfer") this.#postings.between(wallet, this.wallet(booking.to ?? ""), movement);
    if (booking.endpoint === "withdraw") this.#postings.toMainAccount(wallet, movement);
    if (booking.endpoint === "payout") this.#postings.toOutside(wallet, movement);
    if (booking.endpoint !== "collect") return;
    this.#postings.collect(wallet, movement);
    const { transactionId } = booking;
    this.#collectCash(wallet, { ...look, amount, transactionId, atMs, senderAccountNo: null });
  }

  /** Books money into a wallet (above zero) or out of it without an order, with any row. */
  book(accountNo: string, movement: WalletMovement): JsonObject {
    const wallet = this.wallet(accountNo);
    this.#ledger.post(movement.amount, this.#ledger.outside(wallet.name.currency), wallet.line);
    return wallet.record(movement);
  }

  /** Spec is silent on where a remittance's money comes from: here, the main account pays, even into the red. */
  payOut(amount: Decimal): void {
    this.#ledger.post(amount, this.#ledger.line("main account", "TZS"), this.#ledger.outside("TZS"));
  }

  /** Restores lines of the ledger without rows of accounts; false where the ledger no longer adds up. */
  restoreLedger(lines: readonly LedgerLine[]): boolean {
    for (const line of lines) this.#ledger.restore(line);
    return this.#ledger.addsUp;
  }

  /** The cash of a collection goes to a merchant account, if there is one. */
  #collectCash(wallet: Wallet, collection: BankMovement): JsonObject[] {
    const account = this.#postings.merchantAccountOf(wallet.name.currency);
    if (account === undefined) return [];
    const { transactionId: paymentReference, ...rest } = collection;
    const entry = this.#postings.toMerchant(account, { ...rest, transactionId: this.draw.uuid(), paymentReference });
    for (const listener of this.#listeners) listener(account, entry);
    return [entry];
  }

  #announce(booking: Booking, rows: readonly JsonObject[]): void {
    this.bookings.set(booking, 1);
    for (const listener of this.#bookingListeners) listener(booking, rows);
  }

  #openWallet({ opening, entries, ...name }: WalletSeed): void {
    const wallet = this.addWallet(name, opening);
    for (const row of entries) {
      this.#ledger.post(effectOf(row, "amountCredited", "amountDebited"), this.#payer(row, name.currency), wallet.line);
      wallet.adopt(row);
    }
  }

  #openAccount({ opening, entries, ...name }: MerchantAccountSeed): void {
    const line = this.#ledger.line("merchant account", name.currency, name.accountNo);
    const account = new MerchantAccount(name, opening, line);
    this.#ledger.post(decimalOf(opening.text), this.#ledger.outside(name.currency), line);
    for (const row of entries) {
      this.#ledger.post(effectOf(row, "amountCredit", "amountDebit"), this.#ledger.outside(name.currency), line);
      account.adopt(row);
    }
    this.accounts.set(name.accountNo, account);
  }

  #payer(row: JsonObject, currency: string): LedgerLine {
    const reference = row["tranRefNo"];
    const isFee = typeof reference === "string" && isFeeReference(reference);
    return isFee ? this.#ledger.line("fees", currency) : this.#ledger.outside(currency);
  }
}

function known<T>(found: T | undefined, accountNo: string): T {
  if (found === undefined) throw new Error(`The simulated world has no account ${accountNo}.`);
  return found;
}

function decimalOf(text: string): Decimal {
  const amount = Decimal.parseJson(text);
  if (amount === undefined) throw new Error("An amount of the simulated world is none.");
  return amount;
}
