import type { JsonObject } from "../../values/json.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { AccountKind } from "../ledger.ts";
import type { Bounds } from "../places.ts";
import type { HeldRow } from "../writer.ts";

/** A reading next to what the ledger holds of the same days. */
export interface Readings {
  readonly kind: AccountKind;
  /** In order. */
  readonly held: readonly HeldRow[];
  /** Oldest first, with the place in `held` of the row that each is; -1 for a new one. */
  readonly incoming: readonly JsonObject[];
  readonly matches: readonly number[];
  /** The days that were asked for, both included. */
  readonly startDay: string;
  readonly endDay: string;
  /** The sync has read every day from this one up to `startDay`. */
  readonly since: string;
  /** The places of rows without a value date that the sync has read on those days. */
  readonly shown: ReadonlySet<number>;
  /** What the account holds after the last row; undefined where that is not known. */
  readonly live: Decimal | undefined;
  /** The days that were read whole before; null where none were. */
  readonly read: { readonly firstDay: string; readonly lastDay: string } | null;
  /** The places of the rows of other days next to those held. */
  readonly bounds: Bounds;
  /** The rows at the bounds. */
  readonly before: HeldRow | undefined;
  readonly after: HeldRow | undefined;
  /** Places within the bounds that are occupied, also by deleted rows. */
  readonly taken: ReadonlySet<number>;
}
