import { listWallets } from "../../contract/wallets.ts";
import type { Report, Row } from "../../report/report.ts";
import type { Decision, Rules } from "../../rules/rule.ts";
import { entryOf, textIn } from "../../statements/entry.ts";
import { counted } from "../../values/text/counted.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { Failure } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import type { Period } from "../../values/time/period.ts";
import type { Session } from "../session.ts";
import { statementsOf } from "../statements/account-statements.ts";
import type { StatementSource } from "../statements/statement-source.ts";
import { merchantSource, walletSource } from "../statements/statement-source.ts";
import { readRules } from "./inputs.ts";
import type { RulesCheckFlags } from "./rules-check-flags.ts";

const fields = [
  { name: "rule", kind: "count", role: "state" },
  { name: "label", kind: "text", role: "state" },
  { name: "does", kind: "text", role: "state" },
  { name: "account", kind: "id", role: "who" },
  { name: "reference", kind: "id", role: "what" },
  { name: "amount", kind: "amount", role: "money" },
  { name: "date", kind: "time", role: "when" },
  { name: "narration", kind: "text", role: "what" },
  { name: "counterparty", kind: "text", role: "detail" },
] as const satisfies readonly Field[];

/**
 * Says of each row of statements which rule takes it.
 * @throws {Failure} usage | setup | refused | unavailable
 */
export async function checkRules(session: Session, flags: RulesCheckFlags): Promise<Report> {
  const rules = await readRules(session, flags.rules);
  if (rules === undefined)
    throw new Failure("usage", "There are no rules: no rules.json beside the profiles, and no --rules.", {
      hint: 'Write one: {"rules":[{"when":{"narration":"bank charges"},"then":{"fee":true}}]}',
    });
  const period = await session.period(flags.month === undefined ? { lastMonth: true } : { month: flags.month });
  const counts = new Map<number, number>();
  return {
    shape: "rows",
    columns: fields,
    rows: rowsOf(session, flags, { rules, period, counts }),
    whenEmpty: "The statements have no rows.",
    findings: () => ({ notes: notesOf(rules, counts) }),
  };
}

interface Check {
  readonly rules: Rules;
  readonly period: Period;
  /** Rows by the number of their rule; 0 for none. */
  readonly counts: Map<number, number>;
}

async function* rowsOf(session: Session, flags: RulesCheckFlags, check: Check): AsyncGenerator<readonly Row[]> {
  const source = flags.accountKind === "merchant" ? merchantSource : walletSource;
  const accounts =
    flags.account === undefined
      ? (await session.service.read(listWallets, {})).map((wallet) => textIn(wallet, "accountNo"))
      : [flags.account];
  for (const account of accounts) {
    const rows = await statementsOf(source, session, account).read(check.period);
    for await (const batch of rows) yield batch.map((row) => ruledRow(row, account, source, check));
  }
}

function ruledRow(row: JsonObject, account: string, { shape }: StatementSource, { rules, counts }: Check): Row {
  const { reference, credit, debit, valueDate } = entryOf(row, shape);
  const amount = changeOf(credit, debit);
  const [narration, counterparty] = [textIn(row, "narration"), textIn(row, "senderAccountName")];
  const rule = rules.ruleFor({ in: "statement", account, amount, narration, reference, counterparty });
  const number = rule?.number ?? 0;
  counts.set(number, (counts.get(number) ?? 0) + 1);
  return {
    rule: rule === undefined ? null : Numeral.of(number),
    label: rule?.says.label ?? null,
    does: rule === undefined ? null : inWords(rule.says),
    account,
    reference,
    amount: amount === undefined ? null : new Numeral(amount.toString()),
    date: valueDate.slice(0, "2026-10-01".length),
    narration,
    counterparty,
  };
}

function changeOf(credit: Decimal | null | undefined, debit: Decimal | null | undefined): Decimal | undefined {
  if (debit === undefined || credit === undefined) return undefined;
  if (debit === null || debit.isZero) return credit ?? debit ?? undefined;
  return credit === null ? debit.negate() : credit.subtract(debit);
}

function inWords({ account, fee, ignore, netOfFee }: Decision): string {
  const words = [fee ? "fee" : "", ignore ? "ignore" : "", netOfFee ? "net of fee" : "", account ?? ""];
  return words.filter((word) => word !== "").join(", ");
}

function notesOf(rules: Rules, counts: ReadonlyMap<number, number>): string[] {
  const each = rules.all.map(({ number, says }) => {
    const label = says.label === undefined ? "" : ` (${says.label})`;
    return `Rule ${number}${label}: ${counted(counts.get(number) ?? 0, "row")}.`;
  });
  return [...each, `No rule: ${counted(counts.get(0) ?? 0, "row")}.`];
}
