import { dayInDarEsSalaam } from "../../values/time/day.ts";
import { Numeral } from "../../values/json.ts";
import type { EarlierRows, WalletName } from "../books/wallet.ts";

/** A wallet with any number of rows, for benchmarks. */
export const bulkWallet: WalletName = {
  accountNo: "9999000001",
  accountName: "Bulk",
  type: "COLLECTION",
  currency: "TZS",
  countryCode: "TZ",
};

const rowsPerDay = 40_000;
const rowAmount = 125;

/** The balance after this many rows. */
export function bulkBalance(count: number): Numeral {
  return new Numeral(`${count * rowAmount}.00`);
}

/** The wallet's rows: credits of one amount, a fixed number a day, the last ones yesterday. */
export function bulkEarlierRows(count: number, nowMs: number): EarlierRows {
  const days = Math.ceil(count / rowsPerDay);
  const firstDay = dayInDarEsSalaam(nowMs).addDays(-days);
  return function* past(startDate, endDate) {
    for (let passed = 0; passed < days; passed++) {
      const day = firstDay.addDays(passed).toString();
      if (day >= startDate && day <= endDate) yield* rowsOf(day, passed * rowsPerDay, count);
    }
  };
}

function* rowsOf(day: string, first: number, count: number): Generator<string> {
  for (let index = first; index < first + rowsPerDay && index < count; index++) yield bulkRow(index, day);
}

/** Written as text: encoding a million objects would take longer than the measured work. */
function bulkRow(index: number, day: string): string {
  const second = Math.floor((index % rowsPerDay) / 12);
  const time = [8 + Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60].map(digits).join(":");
  return (
    `{"tranRefNo":"BULK${index.toString().padStart(8, "0")}","valueDate":"${day} ${time}","txnDate":"${day} ${time}",` +
    `"narration":"Malipo ya oda ${index}, Zoë Mwangá","debitOrCredit":"CR","amountCredited":${rowAmount}.00,` +
    `"amountDebited":0,"balance":${(index + 1) * rowAmount}.00}`
  );
}

function digits(part: number): string {
  return part.toString().padStart(2, "0");
}
