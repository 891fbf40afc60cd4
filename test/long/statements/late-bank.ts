import { createServer } from "node:http";
import { Prng } from "../../../src/simulator/prng.ts";
import { Day } from "../../../src/values/time/day.ts";
import { start } from "../../host/servers.ts";

/** A row of the books, in the order of booking. */
interface Booked {
  readonly ref: string;
  readonly day: Day;
  readonly amount: number;
  readonly balance: number;
  /** Its earlier words, and the current ones. */
  readonly narrations: string[];
  /** The first day on which statements show it. */
  readonly shownOn: Day;
}

/** The differences from a service that shows every row at once, oldest first. */
export interface Habits {
  readonly isNewestFirst: boolean;
  /** True: sorted by value date, though booked on another day. */
  readonly isSortedByDay: boolean;
  /** How many rows in a hundred are shown late, or have a value date of days ago. */
  readonly latePercent: number;
  readonly backdatedPercent: number;
  /** How many days in a hundred have a jump of the balance, or a change of an old row. */
  readonly jumpPercent: number;
  readonly changePercent: number;
  /** How many days in a hundred have a pair of late rows whose amounts cancel out. */
  readonly pairPercent: number;
}

/** A service with late rows. */
export interface LateBank {
  readonly origin: string;
  /** The events of one more day; the usual rows on a quiet day. */
  live(day: Day, isQuiet: boolean): void;
  /** True after a jump of the balance or a changed row: no later row can make that good. */
  readonly isOdd: boolean;
  /** The service does not answer. */
  isDown: boolean;
  /** A month's statement, each row with all of its lines, the current one last: reference, narration, balance. */
  statementOf(month: string): (readonly string[])[];
  /** How many rows are booked and not yet shown. */
  hidden(): number;
}

const dayRowsMax = 4;
const lateMaxDays = 75;
const backdatedMaxDays = 12;

/** Serves a wallet on this machine until the test is over. */
export async function lateBank(seed: number, first: Day, habits: Habits): Promise<LateBank> {
  const draw = Prng.of(seed, "bank");
  const books: Booked[] = [];
  let balance = 0;
  let now = first;
  let isDown = false;
  const book = (day: Day, amount: number, shownOn: Day) => {
    balance += amount;
    books.push({ ref: `R${books.length}`, day, amount, balance, narrations: ["rent"], shownOn });
  };
  const chance = (percent: number) => draw.integer(0, 999) < percent * 10;
  const shown = () => books.filter(({ shownOn }) => shownOn.compare(now) <= 0);
  let isOdd = false;
  const live = (day: Day, isQuiet: boolean) => {
    now = day;
    for (let rows = draw.integer(0, dayRowsMax); rows > 0; rows--) {
      const amount = draw.integer(100_000, 999_999);
      const signed = draw.integer(0, 1) === 0 && balance > amount ? -amount : amount;
      const late = !isQuiet && chance(habits.latePercent) ? draw.integer(1, lateMaxDays) : 0;
      const back = !isQuiet && chance(habits.backdatedPercent) ? draw.integer(1, backdatedMaxDays) : 0;
      const value = day.addDays(-back);
      book(value.compare(first) < 0 ? first : value, signed, day.addDays(late));
    }
    if (isQuiet) return;
    if (chance(habits.pairPercent)) {
      const amount = draw.integer(100_000, 999_999);
      const end = day.lastOfMonth();
      for (const part of [amount, -amount]) book(day, part, end);
    }
    if (chance(habits.jumpPercent)) {
      balance += draw.integer(1, 5000);
      isOdd = true;
    }
    const changed = books[draw.integer(0, books.length)];
    if (changed !== undefined && chance(habits.changePercent)) {
      changed.narrations.push(`rent ${changed.narrations.length}`);
      isOdd = true;
    }
  };
  const textOf = ({ ref, day, amount, balance, narrations }: Booked) =>
    `{"tranRefNo":"${ref}","valueDate":"${day.toString()} 08:00:00","txnDate":"${day.toString()} 08:00:00","narration":"${narrations.at(-1)}","debitOrCredit":"${amount < 0 ? "DR" : "CR"}","amountCredited":${amount < 0 ? 0 : amount}.00,"amountDebited":${amount < 0 ? -amount : 0}.00,"balance":${balance}.00}`;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => (body += String(bytes)));
    request.on("end", () => {
      if (isDown) return void response.writeHead(503).end();
      response.setHeader("content-type", "application/json");
      if (request.url === "/wallet/balance")
        return void response.end(`{"availableBalance":${balance}.00,"currentBalance":${balance}.00}`);
      const [, from = "", to = ""] = /"startDate":"([\d-]+)","endDate":"([\d-]+)"/.exec(body) ?? [];
      const rows = shown().filter(({ day }) => day.toString() >= from && day.toString() <= to);
      if (habits.isSortedByDay) rows.sort((one, other) => one.day.compare(other.day));
      if (habits.isNewestFirst) rows.reverse();
      return void response.end(`[${rows.map(textOf).join()}]`);
    });
  });
  const port = await start(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    live,
    get isOdd() {
      return isOdd;
    },
    get isDown() {
      return isDown;
    },
    set isDown(value) {
      isDown = value;
    },
    statementOf: (month) =>
      shown()
        .filter(({ day }) => day.toString().startsWith(month))
        .map(({ ref, narrations, balance }) => narrations.map((narration) => `${ref},${narration},${balance}.00`)),
    hidden: () => books.length - shown().length,
  };
}
