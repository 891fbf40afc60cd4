import { checkExtension } from "../../client/form-check.ts";
import type { ExtensionName } from "../../values/extension.ts";
import type { Session } from "../session.ts";

/**
 * Goes on where the account has something that the specification lacks.
 * @throws {Failure} usage; says what to set | setup
 */
export async function requireExtension(name: ExtensionName, session: Session): Promise<void> {
  checkExtension(name, (await session.connection()).service);
}
