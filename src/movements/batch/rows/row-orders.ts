import { unreachableCallbackUrl } from "../../../contract/callback.ts";
import { callbackUrl as callbackForm } from "../../../contract/form.ts";
import { remit } from "../../../contract/remittance.ts";
import type { MovementKind } from "../../../journal/movement.ts";
import { laterViolations, remittanceViolations } from "../../../remittance/check.ts";
import { bodyOf } from "../../../remittance/draft.ts";
import { remittanceFields } from "../../../remittance/fields.ts";
import { tidyPhone } from "../../../remittance/typed.ts";
import { parseAccountNumber } from "../../../values/account-number.ts";
import { parseAmount, parseWholeAmount } from "../../../values/money/amount.ts";
import type { Decimal } from "../../../values/money/decimal.ts";
import type { Day } from "../../../values/time/day.ts";
import { parseDay } from "../../../values/time/day.ts";
import { Failure } from "../../../values/failure.ts";
import { parseMsisdn } from "../../../values/msisdn.ts";
import { parseReference } from "../../../values/reference.ts";
import { isVisible, quote } from "../../../values/text/text.ts";
import { isoDarEsSalaam } from "../../../values/time/wall-time.ts";
import { countryViolation, readChannel, readPayoutChannel } from "../../kinds/channels.ts";
import { collectOrder } from "../../kinds/collect.ts";
import type { MoneyOrder } from "../../order.ts";
import { payoutOrder, payoutReceiver } from "../../kinds/payout.ts";
import { transferOrder } from "../../kinds/transfer.ts";
import { sameWalletViolation } from "../../guards/wallet-checks.ts";
import { withdrawOrder } from "../../kinds/withdraw.ts";
import type { RowReader } from "./row-reader.ts";

/** What rows are read against besides the file. */
export interface RowContext {
  readonly today: Day;
  readonly nowMs: number;
  /** False leaves the reference out of a transfer's description. */
  readonly tagged: boolean;
  /** The profile's nicknames for accounts, which a file can't use: in another profile they may mean other accounts. */
  readonly nicknames?: ReadonlyMap<string, string> | undefined;
}

/** Makes an order of a row; undefined where the row doesn't say enough, which the reader has as violations. */
export const orderOfRow: Readonly<
  Record<MovementKind, (row: RowReader, context: RowContext) => MoneyOrder | undefined>
> = {
  transfer(row, { tagged, nicknames }) {
    const reference = row.read("reference", parseReference);
    const from = row.read("from", numberOf(nicknames));
    const to = row.read("to", numberOf(nicknames));
    const amount = row.read("amount", parseSheetAmount);
    const description = row.read("description", visibleText);
    const same = sameWalletViolation(from, to);
    if (same !== undefined) row.violation("to", same);
    if (!reference || !from || !to || !amount || !description) return undefined;
    return transferOrder({ from, to, amount, description, reference, tagged });
  },
  withdraw(row, { today, nicknames }) {
    const reference = row.read("reference", parseReference);
    const account = row.read("account", numberOf(nicknames));
    const amount = row.read("amount", parseAmount);
    const narration = row.read("narration", visibleText);
    const date = row.read("date", parseDay);
    if (!reference || !account || !amount || !narration) return undefined;
    return withdrawOrder({ account, amount, narration, reference, date, today });
  },
  collect(row, { nowMs }) {
    const reference = row.read("reference", parseReference);
    const msisdn = row.read("msisdn", parseMsisdn);
    const channel = row.read("channel", (text, field) => readChannel(visibleText(text, field), field));
    const amount = row.read("amount", parseSheetAmount);
    const narration = row.read("narration", visibleText);
    const callbackUrl = row.read("callbackUrl", reachableUrl);
    const otherCountry = msisdn === undefined || channel === undefined ? undefined : countryViolation(channel, msisdn);
    if (otherCountry !== undefined) row.violation("channel", otherCountry);
    if (callbackUrl === undefined) row.violation("callbackUrl", "is empty, and the profile has none");
    if (!reference || !msisdn || !channel || !amount || !narration || !callbackUrl) return undefined;
    return collectOrder({ msisdn, channel, amount, narration, reference, callbackUrl, callbackIsMade: false, nowMs });
  },
  payout(row, { nowMs, nicknames }) {
    const reference = row.read("reference", parseReference);
    const account = row.read("from", numberOf(nicknames));
    const to = row.read("to", visibleText);
    const amount = row.read("amount", parseSheetAmount);
    const narration = row.read("narration", visibleText);
    const name = row.read("name", visibleText);
    const channel = row.read("channel", (text, field) => readPayoutChannel(visibleText(text, field), field));
    const bank = row.read("bank", visibleText);
    const callbackUrl = row.read("callbackUrl", reachableUrl) ?? unreachableCallbackUrl;
    const receiver = to === undefined ? [] : payoutReceiver({ to, channel, bank });
    if (!("msisdn" in receiver)) for (const [column, problem] of receiver) row.violation(column, problem);
    if (!reference || !account || !amount || !narration || !name || !("msisdn" in receiver)) return undefined;
    const told = { reference, callbackUrl, callbackIsMade: false, nowMs };
    return payoutOrder({ account, ...receiver, name, amount, narration, ...told });
  },
  remit(row, { today, nowMs }) {
    const reference = row.read("reference", parseReference);
    const draft = new Map<string, string>();
    for (const { path, kind } of remittanceFields) {
      const text = path === "partnerReference" ? reference : row.text(path);
      if (text !== undefined) draft.set(path, kind === "phone" ? tidyPhone(text) : text);
      if (text !== undefined && !isVisible(text)) row.violation(path, unseen);
    }
    const volatile = draft.has("paymentDate") ? [] : ["paymentDate"];
    if (volatile.length > 0) draft.set("paymentDate", isoDarEsSalaam(nowMs));
    for (const [path, violation] of Object.entries(remittanceViolations(draft, today)))
      if (laterViolations.has(violation)) row.expire(path, violation);
      else if (path !== "partnerReference") row.violation(path, violation);
    if (!reference) return undefined;
    return { kind: "remit", endpoint: remit, reference, input: bodyOf(draft), volatile };
  },
};

/** A file names accounts by number: whom it pays must not change with a profile's nicknames. */
function numberOf(nicknames: RowContext["nicknames"]): typeof parseAccountNumber {
  return (text, field) => {
    const number = nicknames?.get(text);
    if (number === undefined) return parseAccountNumber(text, field);
    throw new Failure("usage", `${field} ${quote(text)} is a nickname: write the number ${number}`);
  };
}

/** Spreadsheets that show two digits save `1000.00`, which is a whole number all the same. */
const zerosBehind = /\.0+$/;

function parseSheetAmount(text: string, field: string): Decimal {
  return parseWholeAmount(text.replace(zerosBehind, ""), field);
}

const unseen = "has characters in it that can't be seen";

function reachableUrl(text: string, field: string): string {
  const [issue] = callbackForm.safeParse(text).error?.issues ?? [];
  if (issue === undefined) return text;
  throw new Failure("usage", `${field} ${quote(text)} ${issue.message}`);
}

/** A text for a statement: in a sheet, a line end or a control character in it is an accident. */
function visibleText(text: string, field: string): string {
  if (text.trim() === "") throw new Failure("usage", `${field} is blank`);
  if (isVisible(text)) return text;
  throw new Failure("usage", `${field} ${quote(text)} ${unseen}`);
}
