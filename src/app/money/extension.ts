import { checkExtension } from "../../client/form-check.ts";
import type { ExtensionName } from "../../values/extension.ts";
import type { Session } from "../session.ts";

/**
 * Checks that an extension of the specification is on for the account.
 * @throws {Failure} usage; says what to set | setup
 */
export async function requireExtension(name: ExtensionName, session: Session): Promise<void> {
  checkExtension(name, (await session.connection()).service);
}
