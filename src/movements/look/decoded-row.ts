import { movementForms } from "../../journal/requests/movement-kinds.ts";
import {
  amountsIn,
  firstAmount,
  payerOf,
  receiverName,
  receiverOf,
  requestText,
} from "../../journal/requests/movement-request.ts";
import type { MovementKind } from "../../journal/movement.ts";
import type { MovedAmount } from "../../journal/requests/movement-request.ts";
import { rateFields, rateWarning } from "../../remittance/rate.ts";
import type { Row } from "../../report/report.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { formatMoney } from "../../values/money/money.ts";
import { findMsisdn } from "../../values/msisdn.ts";
import { Numeral } from "../../values/json.ts";
import { quote } from "../../values/text/text.ts";
import type { MoneyOrder } from "../order.ts";

/** A wallet as the service last listed it. */
export interface KnownWallet {
  readonly name: string;
  readonly currency: string;
}
export type KnownWallets = ReadonlyMap<string, KnownWallet>;

/** An order in plain words, decoded from what will be sent, not from the file. */
export interface DecodedRow {
  readonly line: number;
  readonly kind: MovementKind;
  readonly reference: string;
  /** Always present; in words where the request names no wallet. */
  readonly from: string;
  readonly fromName: string | undefined;
  readonly to: string;
  readonly toName: string | undefined;
  readonly institution: string | undefined;
  readonly amount: Decimal;
  /** Undefined where neither the request nor a known wallet names it. */
  readonly currency: string | undefined;
  /** What the sender of a remittance pays; undefined for every other order. */
  readonly sender: MovedAmount | undefined;
  /** How the amounts of a remittance don't fit its rate, in a sentence. */
  readonly rateWarning: string | undefined;
  readonly description: string;
  /**
   * Equal for orders to the same receiver, however a mobile number is written; undefined for the account's own bank.
   */
  readonly receiver: string | undefined;
}

/** Words for orders whose request names no wallet. */
const unnamed: Readonly<Record<MovementKind, { readonly from: string; readonly to: string }>> = {
  transfer: { from: "?", to: "?" },
  withdraw: { from: "?", to: "the account's bank" },
  collect: { from: "?", to: "the collection wallet" },
  remit: { from: "the disbursement wallet", to: "?" },
  payout: { from: "?", to: "?" },
};

/** Decodes an order for a person to read. */
export function decodedRow({ kind, reference, input }: MoneyOrder, line: number, wallets: KnownWallets): DecodedRow {
  const payer = payerOf(kind, input);
  const receiver = receiverOf(kind, input);
  const from = payer ?? unnamed[kind].from;
  const to = receiver?.account ?? unnamed[kind].to;
  const moved = firstAmount(kind, input);
  const [main, sender] = amountsIn(kind, input);
  if (main === undefined) throw new TypeError(`An order without an amount: ${reference}`);
  return {
    line,
    kind,
    reference,
    from,
    fromName: wallets.get(from)?.name,
    to,
    toName: receiverName(kind, input) ?? wallets.get(to)?.name,
    institution: receiver?.institution,
    amount: main.amount,
    currency: moved?.currency ?? (payer === undefined ? undefined : wallets.get(payer)?.currency),
    sender,
    rateWarning: sender && rateWarning(new Map(rateFields.map((name) => [name, String(Reflect.get(input, name))]))),
    description: requestText(input, movementForms[kind].narration) ?? "",
    receiver: receiver && receiverKey(receiver.account, receiver.institution),
  };
}

/** The key of a receiver: equal for two orders to the same one. */
export function receiverKey(account: string, institution: string | undefined): string {
  return `${institution ?? ""} ${findMsisdn(account) ?? account}`.trim();
}

/**
 * `transfer  9000112233 (Main) → 9000112244 (Rent)  5.00 TZS  "rent"`; for people and banks the receiver comes first.
 * A remittance says last what its sender pays.
 */
export function wordsOfRow(row: DecodedRow): string {
  const { kind, amount, currency, description, institution, to, toName, sender } = row;
  const money = moneyIn(amount, currency);
  const from = named(row.from, row.fromName);
  const way =
    institution !== undefined
      ? `${[toName ?? "?", to, institution].filter((part) => part !== undefined).join(", ")} ← ${from}`
      : `${from} → ${named(to, toName)}`;
  const paid = sender === undefined ? "" : `  (the sender pays ${moneyIn(sender.amount, sender.currency)})`;
  return `${kind}  ${way}  ${money}  ${quote(description)}${paid}`;
}

function moneyIn(amount: Decimal, currency: string | undefined): string {
  return `${formatMoney(amount, currency)} ${currency ?? "(currency not known)"}`;
}

function named(account: string, name: string | undefined): string {
  return name === undefined || name === "" ? account : `${account} (${name})`;
}

/** The columns of decoded rows. */
export const decodedFields = [
  { name: "line", kind: "count", role: "detail" },
  { name: "kind", kind: "id", role: "what" },
  { name: "from", kind: "id", role: "what" },
  { name: "fromName", kind: "text", title: "from name", role: "detail" },
  { name: "to", kind: "id", role: "what" },
  { name: "toName", kind: "text", title: "to name", role: "what" },
  { name: "institution", kind: "id", role: "detail" },
  { name: "amount", kind: "amount", role: "money" },
  { name: "currency", kind: "id", role: "money" },
  { name: "senderAmount", kind: "amount", title: "sender pays", role: "detail" },
  { name: "senderCurrency", kind: "id", title: "sender currency", role: "detail" },
  { name: "description", kind: "text", role: "what" },
  { name: "reference", kind: "id", role: "what" },
] as const;

/** The same as a row of a result. */
export function fieldsOfRow(row: DecodedRow): Row {
  const { line, kind, from, fromName, to, toName, institution, amount, currency, sender, description, reference } = row;
  return {
    line: Numeral.of(line),
    kind,
    from,
    fromName: fromName ?? null,
    to,
    toName: toName ?? null,
    institution: institution ?? null,
    amount: new Numeral(amount.toString()),
    currency: currency ?? null,
    senderAmount: sender === undefined ? null : new Numeral(sender.amount.toString()),
    senderCurrency: sender?.currency ?? null,
    description,
    reference,
  };
}
