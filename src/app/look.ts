import { late } from "../client/reader.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { Failure } from "../values/failure.ts";
import type { Session } from "./session.ts";

/**
 * What a person should see before an order, where the service tells it at once. That it did not is said.
 * @param what it tells, in words: `names and balances`
 * @returns undefined where it could not be had
 * @throws {Failure} usage | setup (no credentials) | interrupted
 */
export async function lookAt<Input extends object, Output>(
  session: Session,
  endpoint: Endpoint<"reads", Input, Output>,
  input: Input,
  what: string,
): Promise<Output | undefined> {
  try {
    return await session.service.look(endpoint, input, { what });
  } catch (error) {
    if (!(error instanceof Failure) || error.ending === "interrupted") throw error;
    if (error.reason === late) await session.note(`${error.message}; the order goes on without.`);
    return undefined;
  }
}
