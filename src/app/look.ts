import { lateReason } from "../client/reader.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { Failure } from "../values/failure.ts";
import type { Session } from "./session.ts";

/**
 * A read for a person before an order. A note says where the service didn't answer in time.
 * @param what is read, in words: `names and balances`
 * @returns undefined where there was no answer
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
    if (error.reason === lateReason) await session.note(`${error.message}; the order continues without it.`);
    return undefined;
  }
}
