import type { Reader } from "../client/reader.ts";
import { feeSuffixes } from "../contract/fee-row.ts";
import { decodeJson } from "../contract/wire.ts";
import { listWallets, walletStatement } from "../contract/wallets.ts";
import type { Journal } from "../journal/journal.ts";
import type { Movement, MovementKind } from "../journal/movement.ts";
import { amountOf } from "../values/amount.ts";
import type { Day } from "../values/day.ts";
import { dayInDarEsSalaam } from "../values/day.ts";
import { Decimal } from "../values/decimal.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";

/** A row of a wallet's statement that carries a movement's reference. */
export interface FoundRow {
  readonly accountNo: string;
  /** As the service sent it. */
  readonly row: JsonObject;
  /** What it did to the wallet: credits above zero. Undefined where its amounts are none. */
  readonly amount: Decimal | undefined;
  /** True when it did just what the movement was to do; a row that did something else is no proof of it. */
  readonly agrees: boolean;
  /** The rows of its service fee: they join it and count for nothing. */
  readonly fees: readonly JsonObject[];
}

/** Which row it is, for people. */
export function nameRow({ accountNo, row }: FoundRow): string {
  return `row ${textIn(row, "tranRefNo")} of ${accountNo}, ${textIn(row, "valueDate")}`;
}

/** Rows of a movement can be dated before it, by a clock that differs, and after it, by the bank. */
const daysBefore = -1;
const daysAfter = 2;

/** How the rows of one movement are known. */
interface Trace {
  /** What can stand in `tranRefNo`. */
  readonly references: readonly string[];
  readonly isNarrated: (narration: string) => boolean;
  /** What the movement does to a wallet of that currency (`undefined`: not named); empty where nothing is known. */
  readonly changes: (currency: string | undefined) => readonly Decimal[];
}

/** Tells whether a row's `tranRefNo` is the reference of another order of ours. */
export type IsOthers = (tranRefNo: string) => Promise<boolean>;

/**
 * Looks for a movement in the statements of the wallets that it touches, on the days around it: every row that carries
 * its reference. A transfer is looked for where it was paid from; it stands in both statements. Where rows are booked
 * under the reference, others that name it in passing do not count, and the row of another order never does.
 * @throws {Failure} setup | refused | unavailable | interrupted, as each read does
 */
export async function findRows(
  movement: Movement,
  service: Pick<Reader, "read">,
  today: Day,
  isOthers: IsOthers,
): Promise<readonly FoundRow[]> {
  const trace = traceOf(movement);
  const found: FoundRow[] = [];
  for (const { accountNo, currency } of await walletsOf(movement, service))
    found.push(...(await search(accountNo, trace, trace.changes(currency), service, daysAround(movement, today))));
  const isOwn = ({ row }: FoundRow) => trace.references.includes(textIn(row, "tranRefNo"));
  if (found.some(isOwn)) return found.filter(isOwn);
  const named: FoundRow[] = [];
  for (const each of found) if (!(await isOthers(textIn(each.row, "tranRefNo")))) named.push(each);
  return named;
}

/** By the journal: it knows which references are taken. */
export function othersIn(journal: Pick<Journal, "search">, { id, scope }: Movement): IsOthers {
  return async (tranRefNo) =>
    tranRefNo !== "" && (await journal.search(tranRefNo, scope)).some((movement) => movement.id !== id);
}

async function search(
  accountNo: string,
  { references, isNarrated }: Trace,
  changes: readonly Decimal[],
  service: Pick<Reader, "read">,
  days: { readonly startDate: string; readonly endDate: string },
): Promise<FoundRow[]> {
  const booked: JsonObject[] = [];
  const named: JsonObject[] = [];
  const fees: JsonObject[] = [];
  for await (const rows of await service.read(walletStatement, { accountNo, ...days }))
    for (const row of rows) {
      const [tranRefNo, narration] = [textIn(row, "tranRefNo"), textIn(row, "narration")];
      if (isFeeOf(tranRefNo, narration, references)) fees.push(row);
      else if (references.includes(tranRefNo)) booked.push(row);
      else if (isNarrated(narration)) named.push(row);
    }
  return [...booked, ...named].map((row, index) => {
    const amount = changeOf(row);
    const agrees = amount !== undefined && changes.some((change) => change.equals(amount));
    return { accountNo, row, amount, agrees, fees: index === 0 ? fees : [] };
  });
}

/** The wallets whose statements can show it, with their currencies where the list of wallets was read. */
async function walletsOf(
  movement: Movement,
  service: Pick<Reader, "read">,
): Promise<readonly { readonly accountNo: string; readonly currency: string | undefined }[]> {
  const request = requestOf(movement);
  if (movement.kind === "transfer") return [{ accountNo: textIn(request, "from"), currency: undefined }];
  if (movement.kind === "withdraw") return [{ accountNo: textIn(request, "accountNo"), currency: undefined }];
  const use = movement.kind === "collect" ? "COLLECTION" : "DISBURSEMENT";
  const wallets = await service.read(listWallets, {});
  return wallets.flatMap((wallet) => {
    const [accountNo, type] = [textIn(wallet, "accountNo"), textIn(wallet, "type")];
    const currency = textIn(wallet, "currency") || undefined;
    // Old lists leave the type out.
    return accountNo !== "" && (type === "" || type.endsWith(use)) ? [{ accountNo, currency }] : [];
  });
}

function traceOf(movement: Movement): Trace {
  return traces[movement.kind](movement, requestOf(movement));
}

const traces: Readonly<Record<MovementKind, (movement: Movement, request: JsonObject) => Trace>> = {
  transfer: (movement, request) => ({
    references: [...serviceIds(movement), ...transferReference(movement)],
    isNarrated: (narration) => narration.endsWith(tagOf(movement.reference)),
    changes: () => debits(amountIn(request, "amount")),
  }),
  withdraw: ({ reference }, request) => ({
    references: [reference],
    isNarrated: (narration) => isNamed(narration, reference, textIn(request, "narration")),
    changes: () => debits(amountIn(request, "amount")),
  }),
  collect: (movement, request) => ({
    references: [movement.reference, ...serviceIds(movement)],
    isNarrated: () => false,
    changes: () => amountIn(request, "amount"),
  }),
  remit: (movement, request) => ({
    references: [movement.reference, ...serviceIds(movement)],
    isNarrated: (narration) => isNamed(narration, movement.reference, textIn(request, "description")),
    changes: (currency) => debits(remittanceAmounts(request, currency)),
  }),
};

function serviceIds({ transactionId }: Movement): readonly string[] {
  return transactionId === null ? [] : [transactionId];
}

function debits(amounts: readonly Decimal[]): readonly Decimal[] {
  return amounts.map((amount) => amount.negate());
}

/**
 * Spec is silent on the wallet that pays for a remittance: what leaves it is one of the two amounts, in its currency.
 */
function remittanceAmounts(request: JsonObject, currency: string | undefined): readonly Decimal[] {
  return ["receiver", "sender"].flatMap((side) => {
    const isOther = currency !== undefined && textIn(request, `${side}Currency`) !== currency;
    return isOther ? [] : amountIn(request, `${side}Amount`);
  });
}

/** Spec 2.7: the service's own reference, where the answer named one. */
function transferReference({ response }: Movement): readonly string[] {
  const answer = response === null ? undefined : jsonIn(response);
  const reference = isJsonObject(answer) ? textIn(answer, "transactionRef") : "";
  return reference === "" ? [] : [reference];
}

function daysAround({ openedAt }: Movement, today: Day): { startDate: string; endDate: string } {
  const day = dayInDarEsSalaam(openedAt);
  const notAfterToday = (wanted: Day) => (wanted.compare(today) > 0 ? today : wanted).toString();
  return { startDate: notAfterToday(day.addDays(daysBefore)), endDate: notAfterToday(day.addDays(daysAfter)) };
}

/** Spec 2.6: the reference of a fee's row is the original one with a suffix. */
function isFeeOf(tranRefNo: string, narration: string, references: readonly string[]): boolean {
  return references.some(
    (reference) =>
      feeSuffixes.some((suffix) => tranRefNo === reference + suffix) ||
      narration.startsWith(`SERVICE FEE FOR REF:${reference} `),
  );
}

/**
 * Named in the bank's own words. A tag at the end that we did not send is how a transfer carries its reference: the row
 * is that one's, whatever else its description says.
 */
function isNamed(narration: string, reference: string, sent: string): boolean {
  const tag = / \[[^[\]]+\]$/.exec(narration)?.[0];
  return hasWord(narration, reference) && (tag === undefined || sent.endsWith(tag));
}

function tagOf(reference: string): string {
  return ` [${reference}]`;
}

/** True where the reference stands in the text by itself, not as a part of a longer one. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordPart(text.charAt(at - 1)) && !isWordPart(text.charAt(at + word.length))) return true;
  return false;
}

function isWordPart(character: string): boolean {
  return /[\p{L}\p{N}_/-]/u.test(character);
}

/** Credit less debit; undefined where one of them is no amount. */
function changeOf(row: JsonObject): Decimal | undefined {
  const [credit, debit] = [amountOf(row["amountCredited"]), amountOf(row["amountDebited"])];
  if (credit === undefined || debit === undefined) return undefined;
  return (credit ?? Decimal.zero).subtract(debit ?? Decimal.zero);
}

function requestOf({ request }: Movement): JsonObject {
  const body = jsonIn(request);
  return isJsonObject(body) ? body : {};
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return decodeJson(text);
  } catch {
    return undefined;
  }
}

function amountIn(body: JsonObject, name: string): readonly Decimal[] {
  const amount = amountOf(body[name]);
  return amount ? [amount] : [];
}

function textIn(body: JsonObject, name: string): string {
  const value = body[name];
  return typeof value === "string" ? value : "";
}
