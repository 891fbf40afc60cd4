import type { Session } from "../session.ts";
import type { Report } from "../../report/report.ts";
import { PromptAborted, unlessLeft } from "../../host/process/prompts.ts";
import type { MoneyOrder } from "../../movements/order.ts";
import type { WaitPlan } from "../../movements/waiting/waiting.ts";
import { Failure } from "../../values/failure.ts";
import type { OrderAsking } from "./ask-order.ts";
import { askForEdit, askForMissing, EditAsked } from "./ask-order.ts";
import type { CheckFlags } from "./checks/check-flags.ts";
import type { AskedOrNot } from "./confirmation.ts";
import { placeOrder } from "./place-order.ts";
import type { Preview } from "./preview.ts";
import type { RepeatFlags } from "./checks/repeat-check.ts";
import type { FlagWord } from "./same-line.ts";
import { checkWords, sameLine, waitingWords } from "./same-line.ts";
import type { WaitFlags } from "./waits/wait-flags.ts";

/** An order that is ready to be placed, and the flags that describe it. */
export interface ReadyOrder {
  readonly order: MoneyOrder;
  readonly look: () => Promise<Preview>;
  readonly plan?: WaitPlan | undefined;
  /** The flags of the order itself. */
  readonly line: readonly FlagWord[];
}

type MoneyFlags = AskedOrNot & RepeatFlags & CheckFlags & Partial<WaitFlags>;

/**
 * Places an order that a person may have been asked for, and may change at the question. Afterwards it prints the
 * command line that asks nothing, unless that would be refused as well.
 * @throws {Failure} as `placeOrder`
 */
export async function placeAsked<F extends MoneyFlags, K extends string>(
  { flags, asked, ...asking }: { readonly flags: F; readonly asked: boolean } & OrderAsking<K>,
  session: Session,
  make: (flags: F) => Promise<ReadyOrder>,
): Promise<Report> {
  let [known, wasAsked] = [flags, asked];
  for (;;) {
    const { order, look, plan, line } = await make(known);
    const { profileFlag } = session;
    const words = [...line, ...waitingWords(known), ...checkWords(known), ["--reference", order.reference] as const];
    if (profileFlag !== undefined) words.push(["--profile", profileFlag]);
    const sayLine = () => session.note(`The same without questions: ${sameLine(order.kind, words)}`);
    try {
      const report = await placeOrder(order, known, session, look, { plan, isEditable: true });
      if (wasAsked) await sayLine();
      return report;
    } catch (error) {
      if (!(error instanceof EditAsked)) {
        if (wasAsked && !isUsageFailure(error)) await sayLine();
        throw error;
      }
      const changes = unlessLeft(askForEdit(asking, known, session), session.host.signal);
      // The reference that was shown is that of the changed order, too.
      known = Object.assign({}, known, { reference: order.reference }, await sayLineIfAborted(sayLine, changes));
      wasAsked = true;
    }
  }
}

/** Returns the answers. Prints the command line so far where a signal ends the questions. */
export async function sayLineIfAborted<T>(sayLine: () => Promise<void>, answers: Promise<T>): Promise<T> {
  try {
    return await answers;
  } catch (error) {
    if (error instanceof PromptAborted) await sayLine();
    throw error;
  }
}

function isUsageFailure(error: unknown): boolean {
  return error instanceof Failure && error.ending === "usage";
}

/**
 * The answers for flags that are missing; undefined without a terminal, or with `--yes`.
 * @throws {Failure} setup | refused | unavailable
 */
export async function answersFor<K extends string>(
  asking: OrderAsking<K>,
  missing: readonly string[],
  given: Partial<AskedOrNot>,
  session: Session,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (!session.canAsk || given.yes === true) return undefined;
  // Without an account, a person learns that before the questions.
  await session.connection();
  return askForMissing(asking, { missing, given }, session);
}
