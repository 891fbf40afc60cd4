import { once } from "node:events";
import { createWriteStream } from "node:fs";

/** Writes a wallet statement of `count` entries that adds up, as the service would send it: about 250 bytes each. */
export async function writeStatement(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  let balance = 1_000_000_000n;
  for (let first = 0; first < count; first += 1000) {
    const rows: string[] = [];
    for (let index = first; index < Math.min(count, first + 1000); index += 1) {
      const minor = BigInt(((index * 7919) % 9_000_000) + 100);
      const isCredit = index % 3 !== 0;
      balance += isCredit ? minor : -minor;
      rows.push(entry(index, minor, isCredit, balance));
    }
    if (!file.write((first === 0 ? "[" : ",") + rows.join(","))) await once(file, "drain");
  }
  file.end(count === 0 ? "[]" : "]");
  await once(file, "close");
}

function entry(index: number, minor: bigint, isCredit: boolean, balance: bigint): string {
  const time = timeOf(index);
  return (
    `{"tranRefNo":"FT26305${String(index).padStart(9, "0")}","valueDate":"${time}","txnDate":"${time}",` +
    `"narration":"Payment no ${index} for goods, \\"as agreed\\" with Café Kilimanjaro",` +
    `"debitOrCredit":"${isCredit ? "CR" : "DR"}","amountCredited":${isCredit ? amount(minor) : "0.00"},` +
    `"amountDebited":${isCredit ? "0.00" : amount(minor)},"balance":${amount(balance)}}`
  );
}

/** Within October 2026, in order, whatever the number of entries up to 2.6 million. */
function timeOf(index: number): string {
  return new Date(Date.UTC(2026, 9, 1) + index * 1000).toISOString().slice(0, 19).replace("T", " ");
}

function amount(minor: bigint): string {
  const sign = minor < 0n ? "-" : "";
  const digits = String(minor < 0n ? -minor : minor).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
