import { encodeRequest } from "../../../contract/request.ts";
import type { Journal } from "../../../journal/journal.ts";
import type { MoneyOrder } from "../../../movements/order.ts";
import type { Repeats, RepeatContext } from "../../../movements/guards/repeats.ts";
import { likeWindowMs, repeatFailure, repeatsIn, sentencesOf } from "../../../movements/guards/repeats.ts";
import type { Session } from "../../session.ts";

/** What a person says about an order that looks like one made before. */
export interface RepeatFlags {
  /** True where it is intended. */
  readonly again: boolean;
  readonly yes: boolean;
}

/** What was found around an order, with the warnings for a person before the question. */
export interface RepeatWarnings {
  readonly warnings: readonly string[];
  /** Ids of the orders that the warnings name. */
  readonly known: ReadonlySet<string>;
}

/** For an order that was made before, like orders do not matter: it is not sent. */
export const noRepeats: RepeatWarnings = { warnings: [], known: new Set() };

/**
 * The account, and the window in which earlier orders count, as of each call.
 * @param usualMs the window where the profile has none
 * @throws {Failure} usage | setup
 */
export async function repeatContext(session: Session, usualMs = likeWindowMs): Promise<() => RepeatContext> {
  const [scope, { likeWindowMs: windowMs = usualMs }] = [await session.accountScope(), await session.account()];
  return () => ({ scope, windowMs, nowMs: session.host.clock.now() });
}

/**
 * Looks for orders that this one may repeat.
 * @throws {Failure} usage where it may repeat one, and no person says otherwise
 */
export async function checkForRepeats(
  order: MoneyOrder,
  { again, yes }: RepeatFlags,
  journal: Journal,
  session: Session,
): Promise<RepeatWarnings> {
  const repeats = await findRepeats(order, journal, session);
  const { slips, open, told } = repeats;
  const isStopped = slips.length > 0 || (yes && open.length > 0);
  if (isStopped && !again) throw repeatFailure(order.reference, { slips, open });
  return { warnings: warningsOf(repeats), known: new Set([...open, ...told].flatMap(({ id }) => id ?? [])) };
}

/** What a run would be warned of, or stopped by. */
export async function repeatWarnings(order: MoneyOrder, journal: Journal, session: Session): Promise<string[]> {
  return warningsOf(await findRepeats(order, journal, session));
}

async function findRepeats(order: MoneyOrder, journal: Journal, session: Session): Promise<Repeats> {
  const { kind, reference, endpoint, input } = order;
  const context = (await repeatContext(session))();
  const key = { scope: context.scope, kind, reference };
  return repeatsIn(order, await journal.lookAround(key, encodeRequest(endpoint, input).body ?? "{}"), context);
}

/** The most serious last, directly above the question. */
function warningsOf({ slips, open, told }: Repeats): string[] {
  return [...sentencesOf(told), ...sentencesOf(slips), ...sentencesOf(open)];
}
