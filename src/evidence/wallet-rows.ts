import type { Reader } from "../client/reader.ts";
import { walletStatement } from "../contract/wallets.ts";
import type { Day } from "../values/time/day.ts";
import type { Days } from "../values/time/service-clock.ts";
import { Failure } from "../values/failure.ts";
import type { JsonObject } from "../values/json.ts";

/** Rows can be dated so many days after their order: banks date them later, and clocks differ. */
export const daysAfter = 7;

/** Which rows are asked for. */
export interface RowWish {
  readonly accountNo: string;
  readonly first: Day;
  /** May be a day to come. */
  readonly last: Day;
  /** Which day it may be now. */
  readonly days: Days;
}

/**
 * Reads the rows of a wallet's statement, those that are dated ahead too: what was paid today can be dated tomorrow. Spec
 * 4.6 doesn't say whether days to come may be asked for; a service that refuses them is asked up to today. Where it may
 * be another day there, that it shows nothing proves nothing, and it is asked up to the earlier one as well.
 * @throws {Failure} as `Reader.stream` does; unavailable where an entry is no row of a statement
 */
export async function readWalletRows<T>(
  service: Pick<Reader, "stream">,
  { accountNo, first, last, days }: RowWish,
  consume: (batches: AsyncIterable<readonly JsonObject[]>) => Promise<T>,
): Promise<T> {
  let isEmpty = true;
  const count = async function* (batches: AsyncIterable<readonly JsonObject[]>) {
    isEmpty = true;
    for await (const batch of rowsOnly(batches, accountNo)) {
      if (batch.length > 0) isEmpty = false;
      yield batch;
    }
  };
  const until = (end: Day) => {
    const start = first.compare(end) > 0 ? end : first;
    const input = { accountNo, startDate: start.toString(), endDate: end.toString() };
    return service.stream(walletStatement, input, (batches) => consume(count(batches)));
  };
  const { latest, earliest } = days;
  const isSure = latest.compare(earliest) === 0;
  const ends = last.compare(latest) > 0 ? [last, latest] : [latest];
  if (!isSure) ends.push(earliest);
  for (;;) {
    const [end = earliest] = ends.splice(0, 1);
    try {
      const read = await until(end);
      if (isSure || !isEmpty || ends.length === 0) return read;
    } catch (error) {
      if (!(error instanceof Failure) || error.http !== 400 || ends.length === 0) throw error;
    }
  }
}

/** True where the service says that there is no such wallet: then nothing was ever paid from it. */
export function isNoWallet({ http, reason }: Failure): boolean {
  return http === 404 && reason === "NOT_FOUND";
}

/** An answer of entries without amounts would else count as a statement that shows nothing. */
async function* rowsOnly(
  batches: AsyncIterable<readonly JsonObject[]>,
  accountNo: string,
): AsyncGenerator<readonly JsonObject[]> {
  for await (const batch of batches) {
    if (!batch.every(hasAmount))
      throw new Failure("unavailable", `The statement of ${accountNo} has an entry without an amount.`, {
        hint: `Look at it: partner wallet statement ${accountNo} --json`,
      });
    yield batch;
  }
}

/** Spec 2.6. */
function hasAmount(row: JsonObject): boolean {
  return row["amountCredited"] !== undefined || row["amountDebited"] !== undefined;
}
