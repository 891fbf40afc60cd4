import { PromptAborted } from "../../host/process/prompts.ts";
import { Failure, interruption } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import type { Session } from "../session.ts";
import { accountLines } from "./preview.ts";

/** What a person says yes or no to. */
export interface Confirmation {
  /** One sentence: what is about to happen. */
  readonly title: string;
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly question: string;
  /** Of the one order that it is about. */
  readonly reference?: string | undefined;
  /** What stands directly above the question, the weightiest last. */
  readonly warnings?: readonly string[] | undefined;
}

/**
 * Shows what is about to be sent, for whom and with whose credentials, and asks.
 * @throws {Failure} setup | interrupted by a no
 */
export async function confirm(
  { title, lines, question, reference, warnings = [] }: Confirmation,
  session: Session,
): Promise<void> {
  const all = [...lines, ...(await accountLines(session))];
  if (reference !== undefined) all.push(["reference", reference]);
  const width = Math.max(...all.map(([name]) => name.length));
  const shown = all.map(([name, value]) => `  ${name.padEnd(width)}  ${visible(value)}\n`).join("");
  const warned = warnings.map((warning) => `${visible(`Warning: ${warning}`)}\n`).join("");
  await session.host.stderr.write(`${visible(title)}\n${shown}${warned}`);
  await askFor(question, { no: "Nothing was sent", reference }, session);
}

/**
 * Asks, and goes on with a yes alone.
 * @param no what is true then, without its full stop
 * @throws {Failure} interrupted by a no, a signal, or a person who went away instead
 */
export async function askFor(
  question: string,
  { no, reference }: { readonly no: string; readonly reference?: string | undefined },
  { host }: Session,
): Promise<void> {
  try {
    const prompts = await host.prompts();
    if (await prompts.confirm(question)) return;
  } catch (error) {
    if (!(error instanceof PromptAborted)) throw error;
    if (host.signal.aborted) throw interruption(host.signal);
    throw new Failure("interrupted", `${no}: the question was not answered.`, { money: "not moved", reference });
  }
  throw new Failure("interrupted", `${no}.`, { money: "not moved", reference, isDeclined: true });
}

export interface AskedOrNot {
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/**
 * Refuses to send where nobody said yes and nobody can be asked.
 * @param what is to be sent, in words: `transfer`
 * @throws {Failure} usage
 */
export function refuseUnasked(
  { yes, dryRun }: AskedOrNot,
  session: Session,
  { what, reference }: { readonly what: string; readonly reference?: string | undefined },
): void {
  if (yes || dryRun || session.canAsk) return;
  throw new Failure("usage", `There is no terminal to ask on whether to send this ${what}; nothing was sent.`, {
    hint: "Add --yes to send it without asking, or --dry-run to look at it.",
    money: "not moved",
    reference,
  });
}
