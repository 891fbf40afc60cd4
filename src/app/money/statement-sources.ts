import type { Sources } from "../../evidence/inquiry.ts";
import type { Session } from "../session.ts";

/**
 * What an inquiry into the statements of the session's account needs.
 * @throws {Failure} usage | setup | unavailable
 */
export async function statementSources(session: Session): Promise<Sources> {
  return {
    service: session.service,
    journal: await session.journal("write"),
    scope: await session.accountScope(),
    nowMs: session.host.clock.now(),
    clock: session.clockWatch.watch(),
  };
}
