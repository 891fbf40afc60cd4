import type { Reader } from "../../client/reader.ts";
import { walletStatement } from "../../contract/wallets.ts";
import type { Day } from "../../values/time/day.ts";
import type { Days } from "../../values/time/service-clock.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonObject } from "../../values/json.ts";

/** Rows can be dated before their order, where clocks differ. */
export const daysBefore = -1;
/** How many days after its order a row can be dated: banks date them later, and clocks differ. */
export const daysAfter = 7;

/** Which rows are asked for. */
export interface RowQuery {
  readonly accountNo: string;
  readonly first: Day;
  /** May lie in the future. */
  readonly last: Day;
  /** The days that today may be at the service. */
  readonly days: Days;
}

/**
 * Reads the rows of a wallet's statement, including those dated ahead: what was paid today can be dated tomorrow. Spec
 * 4.6 doesn't say whether future days can be requested; where they are refused, the request ends today. Where the
 * service may have another day, a missing row proves nothing, and the request ends with the earlier day.
 * @throws {Failure} as `Reader.stream`; unavailable where an entry isn't a row of a statement
 */
export async function readWalletRows<T>(
  service: Pick<Reader, "stream">,
  { accountNo, first, last, days }: RowQuery,
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

/** True where the service says that the wallet doesn't exist: then nothing was ever paid from it. */
export function isNoWallet({ http, reason }: Failure): boolean {
  return http === 404 && reason === "NOT_FOUND";
}

/** Refuses entries without an amount: such an answer would otherwise pass for a statement that shows nothing. */
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
