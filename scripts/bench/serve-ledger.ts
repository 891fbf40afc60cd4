import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Day } from "../../src/values/time/day.ts";

// Serves wallets of so many rows each, over the days of a year that end with a day; says the port on stdout. Ends when
// stdin does. FILE COUNT WALLETS LASTDAY

const [file = "", count = "0", walletCount = "1", lastDay = ""] = process.argv.slice(2);
const rows = Number(count);
const days = 30;
const rowsPerDay = Math.ceil(rows / days);
const amount = 125;
const last = Day.parse(lastDay);
if (last === undefined) throw new Error(`${lastDay} is not a day`);
const first = last.addDays(1 - days);
const ends = writeRows();
const wallets = Array.from({ length: Number(walletCount) }, (_, index) => String(9_000_112_200 + index));

const server = createServer((request, response) => {
  void answer(request.url ?? "", request, response);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" && address !== null ? address.port : 0);
});
process.stdin.resume().on("end", () => process.exit());

async function answer(url: string, request: Parameters<typeof text>[0], response: ServerResponse): Promise<void> {
  const body = await text(request);
  response.writeHead(200, { "content-type": "application/json" });
  const balance = `${rows * amount}.00`;
  if (url === "/wallet")
    return void response.end(
      `[${wallets.map((accountNo) => `{"accountNo":"${accountNo}","accountName":"W","type":"COLLECTION","balance":${balance},"currency":"TZS"}`).join(",")}]`,
    );
  if (url.includes("balance"))
    return void response.end(`{"accountNo":"9000112200","availableBalance":${balance},"currencyCode":"TZS"}`);
  const [, from = "", to = ""] = /"startDate":"([\d-]+)","endDate":"([\d-]+)"/.exec(body) ?? [];
  const start = ends[dayIndex(from) - 1] ?? 0;
  const end = ends[Math.min(dayIndex(to), days - 1)] ?? 0;
  if (end <= start) return void response.end("[]");
  response.write("[");
  // The comma before the first row is left out.
  createReadStream(file, { start: start + 1, end: end - 1, highWaterMark: 1 << 20 })
    .on("end", () => response.end("]"))
    .pipe(response, { end: false });
}

function dayIndex(text: string): number {
  return first.daysUntil(Day.parse(text) ?? first);
}

/** @returns where each day ends in the file */
function writeRows(): number[] {
  const descriptor = openSync(file, "w");
  const written: number[] = [];
  let bytes = 0;
  for (let day = 0; day < days; day += 1) {
    const date = first.addDays(day).toString();
    let piece = "";
    for (let index = day * rowsPerDay; index < Math.min((day + 1) * rowsPerDay, rows); index += 1)
      piece += rowOf(index, date);
    bytes += writeSync(descriptor, piece);
    written.push(bytes);
  }
  closeSync(descriptor);
  return written;
}

function rowOf(index: number, date: string): string {
  const second = Math.floor(((index % rowsPerDay) * 50_000) / rowsPerDay);
  const time = [8 + Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  return (
    `,{"tranRefNo":"BULK${String(index).padStart(8, "0")}","valueDate":"${date} ${time}","txnDate":"${date} ${time}",` +
    `"narration":"Malipo ya oda ${index}, Zoë Mwangá","debitOrCredit":"CR","amountCredited":${amount}.00,` +
    `"amountDebited":0,"balance":${(index + 1) * amount}.00}`
  );
}
