import { once } from "node:events";
import { createWriteStream } from "node:fs";

/** Writes a wallet statement of `count` entries that adds up, as the service would send it: about 250 bytes each. */
export async function writeStatement(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  let balance = 1_000_000_000n;
  for (let first = 0; first < count; first += 1000) {
    const rows: string[] = [];
    for (let index = first; index < Math.min(count, first + 1000); index += 1) {
      const { minor, isCredit } = moneyAt(index);
      balance += isCredit ? minor : -minor;
      rows.push(entry(index, minor, isCredit, balance));
    }
    if (!file.write((first === 0 ? "[" : ",") + rows.join(","))) await once(file, "drain");
  }
  file.end(count === 0 ? "[]" : "]");
  await once(file, "close");
}

/**
 * Writes the book that goes with it: the same references, days and amounts, each thousand of them backwards, as a
 * ledger that has an order of its own.
 */
export async function writeBook(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  file.write("date,reference,amount,memo\n");
  for (let first = 0; first < count; first += 1000) {
    const rows: string[] = [];
    for (let index = Math.min(count, first + 1000) - 1; index >= first; index -= 1) {
      const { minor, isCredit } = moneyAt(index);
      const day = timeOf(index).slice(0, 10);
      rows.push(`${day},${referenceOf(index)},${amount(isCredit ? minor : -minor)},Payment no ${index}\n`);
    }
    if (!file.write(rows.join(""))) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}

/** Writes a batch of transfers. */
export async function writeBatch(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  file.write("reference,from,to,amount,description\n");
  for (let first = 0; first < count; first += 1000) {
    const rows = Array.from(
      { length: Math.min(1000, count - first) },
      (_, index) =>
        `B${first + index},9000112233,9000112244,${1 + ((first + index) % 9000)},Payment no ${first + index}\n`,
    );
    if (!file.write(rows.join(""))) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}

function moneyAt(index: number): { readonly minor: bigint; readonly isCredit: boolean } {
  return { minor: BigInt(((index * 7919) % 9_000_000) + 100), isCredit: index % 3 !== 0 };
}

function referenceOf(index: number): string {
  return `FT26305${String(index).padStart(9, "0")}`;
}

function entry(index: number, minor: bigint, isCredit: boolean, balance: bigint): string {
  const time = timeOf(index);
  return (
    `{"tranRefNo":"${referenceOf(index)}","valueDate":"${time}","txnDate":"${time}",` +
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
