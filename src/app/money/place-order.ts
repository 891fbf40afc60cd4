import { checkForm } from "../../client/form-check.ts";
import { encodeRequest } from "../../contract/request.ts";
import { isRequestOf } from "../../journal/requests/request-hash.ts";
import type { Movement } from "../../journal/movement.ts";
import { isInFlight, movementNouns } from "../../journal/movement.ts";
import { checkGuards } from "../../movements/guards/guards.ts";
import { dateWarnings } from "../../movements/guards/order-date.ts";
import { movementFields } from "../../movements/movement-report.ts";
import type { MoneyOrder } from "../../movements/order.ts";
import type { MoneyTools } from "../../movements/perform.ts";
import { perform } from "../../movements/perform.ts";
import { anyRepeat, repeatCheck } from "../../movements/guards/repeats.ts";
import type { WaitPlan } from "../../movements/waiting/waiting.ts";
import { performAndWait } from "../../movements/waiting/waiting.ts";
import type { Report } from "../../report/report.ts";
import { otherRequest } from "../../movements/request-diff.ts";
import { quote } from "../../values/text/text.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import { combined } from "../../values/violation.ts";
import { checkColumns } from "../../cli/result-options.ts";
import type { Session } from "../session.ts";
import type { AskedOrNot } from "./confirmation.ts";
import { confirm, refuseUnasked } from "./confirmation.ts";
import { maskedRequest } from "./masked-request.ts";
import { noteOtherAccount } from "./other-account.ts";
import type { CheckFlags } from "./checks/check-flags.ts";
import type { Preview } from "./preview.ts";
import type { RepeatFlags } from "./checks/repeat-check.ts";
import { checkForRepeats, noRepeats, repeatContext, repeatWarnings } from "./checks/repeat-check.ts";
import { moneyTools } from "./money-context.ts";
import { outcomeReport } from "./outcome.ts";
import { reportOrdered } from "./report-ordered.ts";
import { askWitness, unasked, witnessWarnings } from "./checks/witness.ts";

/**
 * Takes an order from the command line to its outcome: every check that needs no service, then what the service knows
 * about both ends, then a person's yes, then the one door through which money moves. With a plan it also waits for the
 * final outcome.
 * @throws {Failure} usage | setup | interrupted; everything that happened to money is in the report
 */
export async function placeOrder(
  order: MoneyOrder,
  flags: AskedOrNot & RepeatFlags & CheckFlags,
  session: Session,
  look: () => Promise<Preview>,
  { plan, isEditable = false }: { readonly plan?: WaitPlan | undefined; readonly isEditable?: boolean } = {},
): Promise<Report> {
  if (!flags.dryRun) checkColumns(session.result, movementFields);
  const { service } = await session.connection();
  checkForm(order.endpoint, order.input, service);
  if (flags.dryRun) return dryRun(order, flags, look, session);
  refuseUnasked(flags, session, { what: movementNouns[order.kind], reference: order.reference });
  const made = await moneyTools(session, { ...flags, reference: flags.reference });
  const { journal } = made;
  const standing = await standingOrder(order, made);
  if (standing !== undefined && !flags.yes) return reportOrdered(order, standing, { tools: made, plan }, session);
  const isNew = standing === undefined;
  const repeats = isNew ? await checkForRepeats(order, flags, journal, session) : noRepeats;
  if (flags.yes) for (const warning of repeats.warnings) await session.note(`Warning: ${warning}`);
  const preview = flags.yes ? await look() : await lookDated(order, look, session);
  const isMeant = flags.again ? anyRepeat : repeatCheck(await repeatContext(session), repeats.known);
  const tools = { ...made, repeatCheck: isMeant };
  let testimony = unasked;
  if (isNew) {
    if (preview.violations.length > 0) throw combined(preview.violations);
    testimony = await askWitness(order, { asks: session.canAsk && !flags.yes && !flags.again }, tools);
    const { witness, paid } = testimony;
    if (paid !== undefined) return outcomeReport(await perform(order, { ...tools, witness }), session);
    if (flags.yes) for (const warning of preview.warnings) await session.note(`Warning: ${warning}`);
  }
  await checkGuards(order, { ...tools, days: session.limitDays() }, () => Promise.resolve(journal));
  const { kind, reference } = order;
  const question = `Send this ${movementNouns[kind]}?`;
  const warnings = [...(isNew ? preview.warnings : []), ...testimony.warnings, ...repeats.warnings];
  if (!flags.yes) await confirm({ ...preview, warnings, question, reference, isEditable }, session);
  const witnessed = { ...tools, witness: testimony.witness };
  if (plan === undefined) return outcomeReport(await perform(order, witnessed), session);
  return outcomeReport(await performAndWait(order, witnessed, plan), session);
}

/**
 * The preview for a person, with a warning about the order's date. A script with `--yes` means the date that it gives.
 */
async function lookDated(order: MoneyOrder, look: () => Promise<Preview>, session: Session): Promise<Preview> {
  const preview = await look();
  return { ...preview, warnings: [...dateWarnings(order, session.today()), ...preview.warnings] };
}

/** True where the order is not sent again, so that what the service now says about it is no reason to stop. */
export async function isOrdered(
  order: Pick<MoneyOrder, "kind" | "reference">,
  tools: Pick<MoneyTools, "journal" | "scope">,
): Promise<boolean> {
  return (await standingOrder(order, tools)) !== undefined;
}

/** The order that keeps its reference from being sent again; undefined where none does. */
async function standingOrder(
  { kind, reference }: Pick<MoneyOrder, "kind" | "reference">,
  { journal, scope }: Pick<MoneyTools, "journal" | "scope">,
): Promise<Movement | undefined> {
  const movement = await journal.find({ scope, kind, reference });
  return movement?.state === "unsent" || movement?.state === "refused" ? undefined : movement;
}

/** What a run would say about a reference that is used. */
function usedWords(order: MoneyOrder, standing: Movement): string {
  const { endpoint, input, reference, volatile } = order;
  const request = encodeRequest(endpoint, input).body ?? "{}";
  if (!isRequestOf(standing.requestHash, request, volatile)) {
    const { details = {} } = otherRequest(standing, request, volatile);
    const differences = Object.entries(details).map(([name, how]) => `${name} ${how}`);
    const whose = `belongs to another ${movementNouns[standing.kind]}, which is ${standing.state}`;
    return `The reference ${quote(reference)} ${whose}: ${differences.join(", ")}. A run is stopped.`;
  }
  const { id, openedAt } = standing;
  const is = isInFlight(standing) ? "being sent" : standing.state;
  return `The reference ${quote(reference)} is used: it is ${is}, ordered ${wallTime(openedAt)}, id ${id}. A run sends nothing and reports its outcome.`;
}

/** Every check and every warning of a run, and nothing that moves money. */
async function dryRun(
  order: MoneyOrder,
  flags: CheckFlags,
  look: () => Promise<Preview>,
  session: Session,
): Promise<Report> {
  await noteOtherAccount(session);
  const { service } = await session.connection();
  await service.credentials(order.endpoint.auth, "moves money");
  const journal = await session.journal("read", { account: await session.accountScope() });
  const preview = await lookDated(order, look, session);
  await checkGuardsUnasked(order, session);
  const standing = await standingOrder(order, { journal, scope: await session.accountScope() });
  if (standing !== undefined) await session.note(`Warning: ${usedWords(order, standing)}`);
  else {
    if (preview.violations.length > 0) throw combined(preview.violations);
    const testimony = await witnessWarnings(order, { ...flags, reference: flags.reference }, journal, session);
    const warnings = [...preview.warnings, ...testimony, ...(await repeatWarnings(order, journal, session))];
    for (const warning of warnings) await session.note(`Warning: ${warning}`);
  }
  return {
    shape: "record",
    columns: "fromRows",
    record: {
      dryRun: true,
      kind: order.kind,
      reference: order.reference,
      ...maskedRequest(order, service, (await session.account()).accountId),
    },
    findings: () => ({ notes: ["Nothing was sent."] }),
  };
}

/** Checks the limits without asking the service: the currency of a wallet is left open. */
async function checkGuardsUnasked(order: MoneyOrder, session: Session): Promise<void> {
  const [{ guards }, scope] = [await session.account(), await session.accountScope()];
  const context = { guards, scope, days: session.limitDays(), currencies: () => Promise.resolve(undefined) };
  await checkGuards(order, context, () => session.journal("read"));
}
