import { PromptAborted } from "../../host/prompts.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text.ts";
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
}

/**
 * Shows what is about to be sent, for whom and with whose credentials, and asks.
 * @throws {Failure} setup | interrupted by a no
 */
export async function confirm({ title, lines, question, reference }: Confirmation, session: Session): Promise<void> {
  const all = [...lines, ...(await accountLines(session))];
  if (reference !== undefined) all.push(["reference", reference]);
  const width = Math.max(...all.map(([name]) => name.length));
  const shown = all.map(([name, value]) => `  ${name.padEnd(width)}  ${visible(value)}\n`).join("");
  await session.host.stderr.write(`${visible(title)}\n${shown}`);
  const isYes = await answerTo(question, session);
  if (isYes === true) return;
  const why = isYes === undefined ? ": the question was not answered" : "";
  throw new Failure("interrupted", `Nothing was sent${why}.`, { money: "not moved", reference });
}

/** Undefined where a person went away instead. A signal says for itself how the run ends. */
async function answerTo(question: string, { host }: Session): Promise<boolean | undefined> {
  try {
    const prompts = await host.prompts();
    return await prompts.confirm(question);
  } catch (error) {
    if (error instanceof PromptAborted && !host.signal.aborted) return undefined;
    throw error;
  }
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
