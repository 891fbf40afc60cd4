import { collect } from "../../../contract/collection.ts";
import { violationsOf } from "../../../contract/request.ts";
import type { Session } from "../../session.ts";
import type { AskedOrNot } from "../confirmation.ts";
import type { WaitFlags } from "./wait-flags.ts";
import { lacksAddress } from "./wait-plan.ts";

/** True where a person at the terminal is asked before anything is sent. */
export function asksPerson({ yes, dryRun }: AskedOrNot, session: Session): boolean {
  return session.canAsk && !yes && !dryRun;
}

/**
 * Asks for the address at which the service reports the outcome, where neither the flags nor the profile have one.
 * Undefined where nothing is asked.
 * @throws {Failure} setup
 */
export async function askForCallback(
  flags: AskedOrNot & Partial<WaitFlags>,
  session: Session,
): Promise<string | undefined> {
  if (!asksPerson(flags, session) || !(await lacksAddress(flags, session))) return undefined;
  const { name } = await session.account();
  const keep = name === undefined ? "" : `To keep one: partner profile set ${name} callbackUrl=URL. `;
  const words = "The service reports the outcome to a callback URL, and none is known.";
  await session.note(`${words} ${keep}To wait for it here instead: --wait`);
  const prompts = await session.host.prompts();
  const typed = await prompts.text({
    message: "Callback URL",
    check(text) {
      const violation = violationsOf(collect, { callbackUrl: text.trim() })["callbackUrl"];
      return violation === undefined || `It ${violation}.`;
    },
  });
  return typed.trim();
}
