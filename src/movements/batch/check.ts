import { documentedChannels } from "../../contract/collection.ts";
import type { Journal } from "../../journal/journal.ts";
import { leavingAmounts, payingWallet } from "../../journal/requests/movement-request.ts";
import { movementNouns } from "../../journal/movement.ts";
import { likeness } from "../../journal/lookups/order-keys.ts";
import type { CurrencySums } from "../../journal/spending.ts";
import { addTo, weighLeaving } from "../../journal/spending.ts";
import type { RemittanceDraft } from "../../remittance/draft.ts";
import type { Institution } from "../../remittance/institution.ts";
import { institutionViolation } from "../../remittance/institution.ts";
import { receiverWarning } from "../../remittance/preview.ts";
import { rateFields, rateReading, rateWarning } from "../../remittance/rate.ts";
import type { Sheet } from "../../sheets/sheet.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { quote } from "../../values/text/text.ts";
import { channelWarnings } from "../kinds/channels.ts";
import { payoutWarnings } from "../kinds/payout.ts";
import type { MoneyGuards } from "../guards/guards.ts";
import { guardViolations } from "../guards/guards.ts";
import type { Days } from "../../values/time/service-clock.ts";
import type { MoneyOrder } from "../order.ts";
import { checkWallets, shortWarnings } from "../guards/wallet-checks.ts";
import { batchMaxRows, tooMany } from "./batch-file.ts";
import type { BatchForm } from "./batch-form.ts";
import type { Expectation } from "./expectation.ts";
import { unexpected } from "./expectation.ts";
import { ViolationList } from "./violation-list.ts";
import type { RowsContext } from "./rows/planned-rows.ts";
import { plannedRows } from "./rows/planned-rows.ts";
import type { PlannedRow } from "./rows/row.ts";
import type { RowPast } from "./rows/row-outcome.ts";
import type { FileHistory } from "./rows/former-rows.ts";
import type { Siblings } from "./repeat-violations.ts";
import { RepeatViolations } from "./repeat-violations.ts";
import { dateWarnings } from "../guards/order-date.ts";
import { RowWarnings } from "./rows/row-warnings.ts";
import type { RowViolation } from "./rows/row-reader.ts";
import { outcomeOfRow } from "./rows/row-outcome.ts";
import type { WalletIndex } from "./order-amount.ts";
import { currencyOf, Tally, orderAmountOf } from "./order-amount.ts";

/** How many warnings are listed one by one. */
const warningsMaxCount = 5;

/** Fields of a remittance that are looked at beyond its form. */
const fieldsToCheck = ["institutionCode", "receiverAccount", "receiverChannel", ...rateFields];

/** Everything that a whole file is checked against. */
export interface BatchContext extends Omit<RowsContext, "journal"> {
  readonly journal: Pick<Journal, "findAll" | "lookAroundAll">;
  readonly guards: MoneyGuards;
  readonly limitDays: Days;
  /** False where the service accepts no remittances: in a sandbox. */
  readonly takesRemittances: boolean;
  /** False where the account's extensions lack payouts. */
  readonly takesPayouts: boolean;
  /** Sums that left earlier today. */
  readonly spent: CurrencySums;
  readonly wallets: WalletIndex;
  /** Undefined where the list is not available, or not needed. */
  readonly institutions: readonly Institution[] | undefined;
  /** How many milliseconds similar orders outside the file count as repeats. */
  readonly windowMs: number;
  /** Earlier runs of the same file. */
  readonly history: FileHistory;
  /** True where a person has confirmed rows that look like earlier payments. */
  readonly allowsRepeats: boolean;
  /** The lines to check in an approved batch, with its id; undefined to check every line. */
  readonly approved?: { readonly lines: ReadonlySet<number>; readonly id: string } | undefined;
}

/** The result of checking a file. */
export interface BatchCheck {
  readonly all: Tally;
  /** Rows to send: new ones, and earlier ones that moved nothing. */
  readonly toSend: Tally;
  readonly doneCount: number;
  /** Rows that are not sent because their outcome is unknown. */
  readonly unknownCount: number;
  /** The sum that each wallet pays in rows to send. */
  readonly payers: ReadonlyMap<string, Decimal>;
  /** Wallets that will also pay fees of payouts, which aren't known beforehand. */
  readonly feePayers: ReadonlySet<string>;
  readonly warnings: readonly string[];
  readonly violations: ViolationList;
  /** Every reference of the file. */
  readonly references: ReadonlySet<string>;
  /** Recognises rows that may look alike, as they were in one file from the beginning. */
  readonly areSiblings: Siblings;
}

/** Checks every row before the first one is sent, and finds every violation. */
export async function checkBatch(
  sheet: Sheet,
  form: BatchForm,
  expectation: Expectation,
  context: BatchContext,
): Promise<BatchCheck> {
  const checker = new Checker(context);
  for await (const { rows, past } of plannedRows(sheet, form, context)) await checker.addAll(rows, past);
  return checker.finish(expectation);
}

class Checker {
  readonly #context: BatchContext;
  readonly #violations = new ViolationList();
  readonly #all = new Tally();
  readonly #toSend = new Tally();
  readonly #repeats: RepeatViolations;
  readonly #payers = new Map<string, Decimal>();
  readonly #feePayers = new Set<string>();
  readonly #warnings = new Set<string>();
  readonly #rowWarnings = new RowWarnings();
  readonly #contents = new Map<string, number>();
  readonly #likeness = { count: 0, first: "" };
  #doneCount = 0;
  #unknownCount = 0;
  #rows = 0;
  readonly #spent: Map<string, Decimal>;

  constructor(context: BatchContext) {
    this.#context = context;
    this.#spent = new Map(context.spent);
    this.#repeats = new RepeatViolations({ ...context, batch: context.approved?.id });
  }

  async addAll(rows: readonly PlannedRow[], past: RowPast): Promise<void> {
    for (const row of rows) await this.#add(row, past);
    await this.#repeats.look();
  }

  async #add(row: PlannedRow, past: RowPast): Promise<void> {
    const { line, reference, order, violations } = row;
    this.#rows += 1;
    if (this.#rows > batchMaxRows) throw tooMany();
    this.#violations.add(...violations);
    if (reference !== undefined) this.#report(this.#repeats.see(reference, line));
    if (order === undefined) return;
    this.#compare(order, line);
    this.#all.add(orderAmountOf(order, this.#context.wallets));
    await this.#checkPast(order, row, past);
  }

  async finish(expectation: Expectation): Promise<BatchCheck> {
    this.#report(await this.#repeats.finish());
    for (const warning of this.#repeats.warnings) this.#warnings.add(warning);
    for (const warning of shortWarnings(this.#payers, this.#context.wallets)) this.#warnings.add(warning);
    if (this.#rows === 0) this.#violations.add({ line: undefined, column: undefined, problem: "The file has no rows" });
    // The sum of a file with violations isn't what its author meant.
    if (this.#violations.count === 0)
      this.#violations.add(...unexpected(expectation, this.#all, this.#context.wallets !== undefined));
    const { count, first } = this.#likeness;
    const alike = `${count} ${count === 1 ? "row has" : "rows have"} the same payer, receiver and amount as another: ${first}.`;
    // Sums and comparisons of a file with violations would change once it is corrected.
    const isRight = this.#violations.count === 0;
    const ofRows = this.#rowWarnings.lines();
    const warnings = isRight ? [...(count > 0 ? [alike] : []), ...ofRows, ...this.#warnings] : ofRows;
    const more = warnings.length - warningsMaxCount;
    return {
      all: this.#all,
      toSend: this.#toSend,
      doneCount: this.#doneCount,
      unknownCount: this.#unknownCount,
      payers: this.#payers,
      feePayers: this.#feePayers,
      warnings: [...warnings.slice(0, warningsMaxCount), ...(more > 0 ? [`And ${more} more like these.`] : [])],
      violations: this.#violations,
      references: this.#repeats.references,
      areSiblings: this.#repeats.areSiblings,
    };
  }

  /** Adds violations; a row that looks like an earlier payment is only a warning once a person has confirmed it. */
  #report(violations: readonly RowViolation[]): void {
    for (const violation of violations) {
      const { line, column, problem, isRepeat = false } = violation;
      if (!isRepeat || !this.#context.allowsRepeats) this.#violations.add(violation);
      else this.#warnings.add(`${line === undefined ? "" : `line ${line}, `}${column}: ${problem}.`);
    }
  }

  /**
   * The same payment twice in one file is rarely intended, but gets only a warning: two people may get the same amount.
   */
  #compare({ kind, input }: MoneyOrder, line: number): void {
    const content = JSON.stringify([kind, ...likeness(kind, input)]);
    const before = this.#contents.get(content);
    if (before === undefined) this.#contents.set(content, line);
    else if ((this.#likeness.count += 1) === 1) this.#likeness.first = `line ${line} is like line ${before}`;
  }

  /** Violations of a row by the service's own lists and extensions; adds warnings on the way. */
  #serviceViolations(order: MoneyOrder, line: number): readonly (readonly [column: string, problem: string])[] {
    const { wallets, institutions = [] } = this.#context;
    const text = (name: string) => String(Reflect.get(order.input, name));
    const warn = (warnings: readonly string[]) => this.#rowWarnings.add(order, line, warnings);
    warn(dateWarnings(order, this.#context.today));
    if (order.kind === "collect") warn(channelWarnings(text("channel"), text("msisdn"), documentedChannels));
    if (order.kind === "payout" && !this.#context.takesPayouts)
      return [["reference", "is a payout, and the extension payout is off for this account"]];
    if (order.kind === "payout") warn(payoutWarnings({ msisdn: text("msisdn"), serviceCode: text("serviceCode") }));
    if (order.kind !== "remit") {
      const { violations, warnings } = checkWallets(order, wallets);
      warn(warnings);
      return violations;
    }
    if (!this.#context.takesRemittances)
      return [["reference", "is a remittance, which exists in the live environment only"]];
    const draft: RemittanceDraft = new Map(fieldsToCheck.map((name) => [name, text(name)]));
    warn([receiverWarning(draft), rateReading(draft), rateWarning(draft)].filter((warning) => warning !== undefined));
    const violation = institutionViolation(draft, institutions);
    return violation === undefined ? [] : [["institutionCode", `${violation}; see: partner institutions`]];
  }

  /** Checks the reference against the journal, and a row that is still to be sent against the limits of the profile. */
  async #checkPast(order: MoneyOrder, { line, expired }: PlannedRow, journal: RowPast): Promise<void> {
    const past = await outcomeOfRow(order, journal);
    if (past.is === "done") this.#doneCount += 1;
    else if (past.is === "unknown") this.#unknownCount += 1;
    else if (this.#isLeft(line, expired)) return;
    else if (past.is === "other") {
      const whose = `${quote(order.reference)} belongs to another ${movementNouns[order.kind]}`;
      const problem = `${whose}, which is ${past.movement.state}: ${past.why}`;
      this.#violations.add({ line, column: "reference", problem });
    } else {
      this.#violations.add(...expired);
      this.#violations.add(
        ...this.#serviceViolations(order, line).map(([column, problem]) => ({ line, column, problem })),
      );
      this.#repeats.plan(order, line);
      this.#plan(order, line);
    }
  }

  /** An approved batch runs without the rows that are not to be sent any more. */
  #isLeft(line: number, expired: readonly RowViolation[]): boolean {
    const { approved } = this.#context;
    return approved !== undefined && (!approved.lines.has(line) || expired.length > 0);
  }

  #plan(order: MoneyOrder, line: number): void {
    const { guards, wallets, limitDays } = this.#context;
    const known = wallets && ((accountNo: string) => currencyOf(accountNo, wallets));
    const broken = guardViolations(order, guards, this.#spent, { currencyOf: known, days: limitDays });
    this.#violations.add(
      ...broken.map(({ limit, problem, isOfClock }) => ({
        line: isOfClock ? undefined : line,
        column: limit,
        problem,
        isOfClock,
      })),
    );
    const { kind, input } = order;
    const [leaving] = leavingAmounts(kind, input);
    if (guards.dayMax !== undefined) addTo(this.#spent, weighLeaving(kind, input));
    this.#toSend.add(orderAmountOf(order, wallets));
    const payer = payingWallet(kind, input);
    if (payer !== undefined && kind === "payout") this.#feePayers.add(payer);
    if (payer !== undefined && leaving !== undefined)
      this.#payers.set(payer, (this.#payers.get(payer) ?? Decimal.zero).add(leaving.amount));
  }
}
