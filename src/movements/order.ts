import type { MoneyEndpoint } from "../contract/endpoint.ts";
import type { BatchRow, MovementKind } from "../journal/movement.ts";

/**
 * A request to move money, checked in every way that needs no service, under the reference that makes it unique.
 */
export interface MoneyOrder<Input extends object = object> {
  readonly kind: MovementKind;
  readonly endpoint: MoneyEndpoint<Input>;
  readonly reference: string;
  readonly input: Input;
  /** Fields that the clock or chance filled in: another value of them doesn't make it another request. */
  readonly volatile: readonly string[];
  readonly batch?: BatchRow | undefined;
}
