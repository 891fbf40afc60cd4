import { isGuarded } from "../../movements/guards/guards.ts";
import type { Session } from "../session.ts";

/**
 * Says before money moves that variables name another account than the profile in use does. The limits of that profile
 * apply anyway: they may stop an order needlessly, but let none through.
 * @throws {Failure} usage | setup
 */
export async function noteOtherAccount(session: Session): Promise<void> {
  const { name, owner, sources, guards } = await session.account();
  if (name === undefined || owner !== undefined) return;
  const variables = [sources.baseUrl, sources.accountId].filter((source) => source?.startsWith("PARTNER_"));
  const limits = isGuarded(guards) ? " The limits of the profile still hold." : "";
  await session.note(
    `This is not the account of profile ${name}: ${variables.join(" and ")} ${variables.length === 1 ? "counts" : "count"} first.${limits} To use the profile: --profile ${name}`,
  );
}
