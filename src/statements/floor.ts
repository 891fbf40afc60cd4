import type { Findings } from "../report/report.ts";
import { amountOf } from "../values/amount.ts";
import type { Decimal } from "../values/decimal.ts";
import { Failure } from "../values/failure.ts";
import type { JsonObject } from "../values/json.ts";

/** Compares the available balance with the least that it may be. A balance that is not there is no balance above it. */
export function floorFindings(balance: JsonObject, accountNo: string, floor: Decimal): Findings {
  const available = amountOf(balance["availableBalance"]);
  if (available && available.compare(floor) >= 0) return { notes: [] };
  const is = available ? `is ${available.grouped(2)}` : "was not named by the service";
  const message = `The available balance of ${accountNo} ${is}; it should be at least ${floor.grouped(2)}.`;
  return { notes: [], failure: new Failure("mismatch", message, { hint: "Move money there before it is needed." }) };
}
