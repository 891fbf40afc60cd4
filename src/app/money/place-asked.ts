import type { Session } from "../session.ts";
import type { Report } from "../../report/report.ts";
import type { MoneyOrder } from "../../movements/order.ts";
import type { WaitPlan } from "../../movements/waiting/waiting.ts";
import { Failure } from "../../values/failure.ts";
import type { OrderAsking } from "./ask-order.ts";
import { askForEdit, askForMissing, EditAsked, orderLine } from "./ask-order.ts";
import type { CheckFlags } from "./checks/check-flags.ts";
import type { AskedOrNot } from "./confirmation.ts";
import { placeOrder } from "./place-order.ts";
import type { Preview } from "./preview.ts";
import type { RepeatFlags } from "./checks/repeat-check.ts";

/** An order that is ready to be placed, and how a command line says it. */
export interface ReadyOrder {
  readonly order: MoneyOrder;
  readonly look: () => Promise<Preview>;
  readonly plan?: WaitPlan | undefined;
  readonly line: readonly (readonly [flag: string, value: string])[];
}

type MoneyFlags = AskedOrNot & RepeatFlags & CheckFlags;

/**
 * Places an order that a person may have been asked for, and may change at the question. Afterwards the command line is
 * said that asks nothing, unless it would be refused as well.
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
    const words = [...line, ["--reference", order.reference] as const];
    if (profileFlag !== undefined) words.push(["--profile", profileFlag]);
    const sayLine = () => session.note(`The same without questions: ${orderLine(order.kind, words)}`);
    try {
      const report = await placeOrder(order, known, session, look, { plan, isEditable: true });
      if (wasAsked) await sayLine();
      return report;
    } catch (error) {
      if (!(error instanceof EditAsked)) {
        if (wasAsked && !isMisuse(error)) await sayLine();
        throw error;
      }
      known = Object.assign({}, known, await askForEdit(asking, known, session));
      wasAsked = true;
    }
  }
}

function isMisuse(error: unknown): boolean {
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
  return askForMissing(asking, { missing, given }, session);
}
