import * as fc from "fast-check";
import { Decimal } from "../../../src/values/money/decimal.ts";

/** Amounts around every limit: hundredths, more digits, and numbers that a double cannot hold. */
export const borderDecimals = fc
  .tuple(
    fc.oneof(
      fc.bigInt({ min: -20n, max: 20n }),
      fc.bigInt({ min: -1000n, max: 1000n }),
      fc.bigInt({ min: -(2n ** 51n), max: 2n ** 51n }),
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fc.constantFrom(2n ** 50n, 2n ** 50n + 1n, -(2n ** 50n), 2n ** 53n, 2n ** 53n + 1n, 0n),
      fc.constantFrom(10n ** 15n - 1n, -(10n ** 14n)),
    ),
    fc.integer({ min: 0, max: 6 }),
  )
  .map(([units, scale]) => new Decimal(units, scale));
