import type { Chain, Ledger } from "../../ledger/ledger.ts";
import { closesOf } from "../../close/closes.ts";
import { reopenedMonths, reopenedWords } from "../../close/late-rows.ts";
import { isLiveReached, isReached } from "../../ledger/sync/standing.ts";
import type { Row, RowsReport } from "../../report/report.ts";
import type { Failure } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import { profileField } from "../../values/field.ts";
import { Numeral } from "../../values/json.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { Session } from "../session.ts";
import type { AccountLook } from "./account-look.ts";
import { lookAt, lookBack } from "./account-look.ts";
import { keptScope } from "./kept-scope.ts";
import { withLedger } from "./open.ts";
import type { ReopenedMonth, AccountState } from "./status-words.ts";
import { acceptedLines, alteredWords, notProved } from "./status-words.ts";

/** The columns for each account. */
const statusFields = [
  { name: "account", kind: "id", role: "who", shortens: "account" },
  { name: "from", kind: "time", role: "when" },
  { name: "to", kind: "time", role: "when" },
  { name: "rows", kind: "count", role: "detail" },
  { name: "closing", kind: "amount", role: "money" },
  { name: "live", kind: "amount", role: "money" },
  { name: "late", kind: "count", role: "detail" },
  { name: "changed", kind: "count", role: "detail" },
  { name: "state", kind: "text", role: "state" },
  { name: "breaksAt", kind: "id", role: "detail", title: "breaks at" },
] as const satisfies readonly Field[];

const currencyField = { name: "currency", kind: "id", role: "money" } as const satisfies Field;
/** On a terminal, amounts have their currency beside them. */
const shownFields: readonly Field[] = statusFields.flatMap((field): readonly Field[] =>
  field.name === "live" ? [field, currencyField] : [field],
);

/** The parameters of a status. */
export interface StatusAsked {
  /** Milliseconds since 1970 UTC; default: now. */
  readonly asOf: number | undefined;
  readonly allProfiles: boolean;
}

/**
 * Proves each account: each balance follows from the row before, and the last one equals the service's current balance.
 * With `asOf`, it equals the balance that the last sync before that time received.
 * @throws {Failure} setup | refused | unavailable
 */
export async function ledgerStatus(session: Session, { asOf, allProfiles }: StatusAsked): Promise<RowsReport> {
  const { rows, reopened, altered, currencies, accepted, failure } = allProfiles
    ? await ofAll(session, asOf)
    : await ofOne(session, asOf);
  const unproved = rows.filter(({ state }) => state !== "proved");
  const isPast = asOf !== undefined;
  const isProved = unproved.length + reopened.length === 0 && !(isPast && rows.length === 0);
  const mismatch = isProved ? undefined : notProved(rows, { reopened, altered, currencies, isPast });
  return {
    shape: "rows",
    columns: withProfileColumn(session.format === "table" ? shownFields : statusFields, allProfiles),
    rows,
    whenEmpty:
      asOf === undefined ? "The account has no wallets, and the ledger holds no account." : "Nothing was proved then.",
    findings: () =>
      failure === undefined || mismatch === undefined
        ? { notes: accepted, carried: failure ?? mismatch }
        : { notes: [...accepted, mismatch.message], carried: failure },
  };
}

/** The columns by their names in JSON. */
export function statusColumns(allProfiles: boolean): readonly Field[] {
  return withProfileColumn(statusFields, allProfiles);
}

function withProfileColumn(fields: readonly Field[], allProfiles: boolean): readonly Field[] {
  return allProfiles ? [profileField, ...fields] : fields;
}

type StatusRow = Row & { readonly state: AccountState; readonly account: string; readonly profile?: string };

interface Looked {
  readonly rows: readonly StatusRow[];
  readonly reopened: readonly ReopenedMonth[];
  /** Rows that are not what was stored, in words. */
  readonly altered: readonly string[];
  /** Currencies that the service contradicts, in words. */
  readonly currencies: readonly string[];
  /** What people have accepted, in words. */
  readonly accepted: readonly string[];
  /** Of a profile whose accounts cannot be read. */
  readonly failure: Failure | undefined;
}

async function ofOne(session: Session, asOf: number | undefined): Promise<Looked> {
  return withLedger(session, async (ledger) => {
    const scope = await keptScope(session, ledger);
    const looks = asOf === undefined ? await lookAt(session, ledger, scope) : await lookBack(ledger, scope, asOf);
    const reopened = await reopenedIn(session, ledger, { scope, asOf });
    const isForPeople = session.format === "table";
    const rows = looks.map((look) => (isForPeople ? { ...rowOf(look), currency: currencyOf(look) } : rowOf(look)));
    const [altered, accepted] = [looks.flatMap(alteredWords), looks.flatMap(acceptedLines)];
    const currencies = looks.flatMap(({ otherCurrency: words }) => words ?? []);
    return { rows, reopened, altered, currencies, accepted, failure: undefined };
  });
}

async function ofAll(session: Session, asOf: number | undefined): Promise<Looked> {
  const { forEachProfile, withProfile } = await import("../profiles/all-profiles.ts");
  const { done, failure } = await forEachProfile(session, (own) => ofOne(own, asOf));
  const wordsOf = (name: "altered" | "currencies" | "accepted") =>
    done.flatMap(({ profile, value }) => value[name].map((words) => `${profile}: ${words}`));
  return {
    rows: done.flatMap(({ profile, value }) => withProfile(profile, value.rows)),
    reopened: done.flatMap(({ profile, value }) => value.reopened.map((each) => ({ ...each, profile }))),
    altered: wordsOf("altered"),
    currencies: wordsOf("currencies"),
    accepted: wordsOf("accepted"),
    failure,
  };
}

function rowOf(look: AccountLook): StatusRow {
  const { accountNo, account, chain, altered, balances, late, changed } = look;
  const open = chain?.breaks.find(({ accepted }) => accepted === null);
  const state = stateOf(look);
  const isEndOpen = state === "broken" && look.otherCurrency === undefined;
  return {
    account: accountNo,
    from: account?.firstDay ?? null,
    to: account?.lastDay ?? null,
    rows: Numeral.of(chain?.rows ?? 0),
    closing: numeral(chain?.closing ?? null),
    live: look.isClosed ? null : numeral(liveOf(chain, balances)),
    late: Numeral.of(late),
    changed: Numeral.of(changed),
    state,
    breaksAt: altered?.reference ?? open?.reference ?? (isEndOpen ? (chain?.last?.reference ?? null) : null),
  };
}

function currencyOf({ currency = "" }: AccountLook): string | null {
  return currency === "" ? null : currency;
}

function stateOf({ account, chain, altered, balances, isClosed, otherCurrency: unlike }: AccountLook): AccountState {
  if (account === undefined || chain === undefined) return "unsynced";
  // Nothing of it was ever read, and nothing can be.
  if (isClosed && account.firstDay === null) return "proved";
  if (account.lastDay === null) return isClosed ? "broken" : "unsynced";
  if (altered !== undefined || unlike !== undefined || chain.breaks.some(({ accepted }) => accepted === null))
    return "broken";
  if (isClosed ? isLiveReached(account, chain) : isReached(chain, balances)) return "proved";
  const isAsSynced = account.live !== null && balances.some((balance) => account.live?.equals(balance) === true);
  return !account.isReached && isAsSynced ? "broken" : "unsynced";
}

/** The balance at the service: the one of several that equals the closing balance of the rows, or else the first. */
function liveOf(chain: Chain | undefined, balances: readonly Decimal[]): Decimal | null {
  const closing = chain?.closing;
  return balances.find((balance) => closing?.equals(balance) === true) ?? balances[0] ?? null;
}

function numeral(amount: Decimal | null): Numeral | null {
  return amount === null ? null : new Numeral(amount.toString());
}

/** Closed months that have changed since. */
async function reopenedIn(
  { host }: Session,
  ledger: Ledger,
  of: Parameters<Ledger["changes"]>[0] & { scope: string },
): Promise<readonly ReopenedMonth[]> {
  const { readCloses } = await import("../close/closes-file.ts");
  const closes = closesOf(await readCloses(host, ledger), of.scope);
  if (closes.length === 0) return [];
  const reopened = reopenedMonths(closes, await ledger.changes(of));
  return reopened.map((each) => ({ month: each.month, words: reopenedWords(each) }));
}
