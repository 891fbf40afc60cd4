import { PromptAborted } from "../../host/process/prompts.ts";
import { Failure, interruption } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import type { Session } from "../session.ts";
import { EditAsked } from "./ask-order.ts";
import { accountLines } from "./preview.ts";

/** The subject of a question to a person. */
export interface Confirmation {
  /** One sentence: what is about to happen. */
  readonly title: string;
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly question: string;
  /** The reference of the order, where it is a single one. */
  readonly reference?: string | undefined;
  /** Printed directly above the question, the most important one last. */
  readonly warnings?: readonly string[] | undefined;
  /** True where a person may edit the order before it is sent. */
  readonly isEditable?: boolean | undefined;
}

/**
 * Shows what is about to be sent, for whom and with whose credentials, and asks.
 * @throws {Failure} setup | interrupted by a no
 */
export async function confirm(
  { title, lines, question, reference, warnings = [], isEditable = false }: Confirmation,
  session: Session,
): Promise<void> {
  const all = [...lines, ...(await accountLines(session))];
  if (reference !== undefined) all.push(["reference", reference]);
  const width = Math.max(...all.map(([name]) => name.length));
  const shown = all
    .map(([name, value]) => `  ${name.padEnd(width)}  ${marked(name, visible(value), session)}\n`)
    .join("");
  const warned = warnings.map((warning) => `${visible(`Warning: ${warning}`)}\n`).join("");
  const edit = isEditable ? "  (y to send it, n not to send it, e to edit)\n" : "";
  await session.host.stderr.write(`${visible(title)}\n${shown}${edit}${warned}`);
  await askFor(question, { no: "Nothing was sent", reference, isEditable }, session);
}

/** `live` is highlighted; the other environments are not. */
function marked(name: string, value: string, session: Session): string {
  if (name !== "environment" || !session.coloursNotes) return value;
  return value.replace(/^live\b/, "\u001b[1;31mlive\u001b[0m");
}

/** What a question is about, and what to say after a no. */
interface Refusable {
  readonly no: string;
  readonly reference?: string | undefined;
  readonly isEditable?: boolean | undefined;
}

/**
 * Asks, and returns only after a yes.
 * @param no what is true after a no, without its full stop
 * @throws {Failure} interrupted by a no, by a signal, or where the question is left unanswered
 * @throws {EditAsked} where the person wants to edit the order
 */
export async function askFor(
  question: string,
  { no, reference, isEditable = false }: Refusable,
  { host }: Session,
): Promise<void> {
  try {
    const prompts = await host.prompts();
    const answer = isEditable
      ? await prompts.confirmOrEdit(question)
      : (await prompts.confirm(question))
        ? "yes"
        : "no";
    if (answer === "yes") return;
    if (answer === "edit") throw new EditAsked();
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
 * Refuses to send without --yes where there is no terminal to ask on.
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
