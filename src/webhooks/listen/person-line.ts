import { decodeDocument } from "../../contract/webhooks/envelope.ts";
import { signedText } from "../../report/terminal/money-text.ts";
import { pad } from "../../report/terminal/cut-text.ts";
import { isJsonObject } from "../../values/json.ts";
import { visible } from "../../values/text/text.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import { paymentIn } from "../inbox/inbox-report.ts";

/** Longer account numbers are shortened to this many characters at each end. */
const endChars = 4;
const moneyColumns = 18;
const referenceColumns = 16;
const timeOfDay = /T(\d\d:\d\d:\d\d)/;

/** An event for people: `10:31:07 0560…1200 +50,000.00 TZS PAY-REF-789 Asha`. */
export function personLine({ receivedAt }: { readonly receivedAt: number }, payloadText: string): string {
  const payload = decodeDocument(payloadText);
  const { account, credit, debit, currency, reference, payer } = paymentIn(isJsonObject(payload) ? payload : {});
  const [, time = ""] = timeOfDay.exec(isoDarEsSalaam(receivedAt)) ?? [];
  const money = signedText(credit, debit, currency ?? undefined);
  const cells = [
    time,
    visible(shortened(account ?? "")),
    pad(`${money} ${visible(currency ?? "")}`.trim(), moneyColumns, "right"),
    pad(visible(reference ?? ""), referenceColumns, "left"),
    visible(payer ?? ""),
  ];
  return `${cells.join("  ").trimEnd()}\n`;
}

function shortened(account: string): string {
  return account.length <= 2 * endChars + 1 ? account : `${account.slice(0, endChars)}…${account.slice(-endChars)}`;
}
