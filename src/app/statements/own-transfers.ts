import { tagOf } from "../../contract/narration-tag.ts";
import { listWallets, walletStatement } from "../../contract/wallets.ts";
import { amountsIn, requestOf, requestText as textOf } from "../../journal/requests/movement-request.ts";
import type { Rows } from "../../contract/endpoint.ts";
import type { Entry } from "../../statements/entry.ts";
import { entryOf, textIn, walletEntryShape } from "../../statements/entry.ts";
import { changeOf } from "../../statements/formats/format.ts";
import type { OwnTransfers } from "../../statements/formats/statement-lines.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { Failure } from "../../values/failure.ts";
import type { Day } from "../../values/time/day.ts";
import { startOfDayInDarEsSalaam } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import type { Session } from "../session.ts";

/** How many days may lie between an order and its row, and between the two halves of a transfer. */
const daysApart = 7;
/** Decimals with which amounts are compared. */
const scale = 6;

/** Where the rows of the profile's wallets come from. */
export interface WalletRows {
  wallets(): Promise<readonly { readonly accountNo: string; readonly currency: string }[]>;
  /** @throws {Failure} refused | unavailable, where that wallet cannot be read */
  stream(accountNo: string, period: Period, use: (rows: Rows) => Promise<void>): Promise<void>;
}

function served({ service }: Session): WalletRows {
  return {
    async wallets() {
      const listed = (await service.tryRead(listWallets, {})) ?? [];
      return listed.map((wallet) => ({
        accountNo: textIn(wallet, "accountNo"),
        currency: textIn(wallet, "currency"),
      }));
    },
    stream(accountNo, { startDate, endDate }, use) {
      const input = { accountNo, startDate: startDate.toString(), endDate: endDate.toString() };
      return service.stream(walletStatement, input, use);
    },
  };
}

/**
 * Finds the rows of a wallet that are halves of transfers between two wallets of the profile: those that the journal
 * knows as such, and those whose reference and opposite amount are in another wallet's statement of the same days, or of
 * those around them.
 * @throws {Failure} setup | unavailable
 */
export async function ownTransfersOf(
  session: Session,
  { accountNo, period, from = served(session) }: OwnTransfersAsked,
): Promise<OwnTransfers> {
  const wallets = await from.wallets();
  const currency = wallets.find((wallet) => wallet.accountNo === accountNo)?.currency ?? "";
  const others = wallets.filter((wallet) => wallet.accountNo !== "" && wallet.accountNo !== accountNo);
  const halves = await halvesInJournal(session, accountNo, {
    period,
    others: new Set(others.map((wallet) => wallet.accountNo)),
  });
  const around = withNeighbours(period, session.today());
  for (const other of others)
    if (other.currency === currency)
      await addHalves(halves, session, { accountNo: other.accountNo, period: around, from });
  return (entry, narration) => {
    const tagged = tagOf(narration);
    const change = changeIn(entry);
    return [entry.reference, tagged].some((reference) => reference !== "" && halves.has(halfOf(reference, change)));
  };
}

interface OwnTransfersAsked {
  readonly accountNo: string;
  readonly period: Period;
  /** Default: the service. */
  readonly from?: WalletRows | undefined;
}

/** Future days are requested only where the period has them: otherwise a service may answer with nothing at all. */
function withNeighbours({ startDate, endDate }: Period, today: Day): Period {
  const after = endDate.towards(daysApart);
  const known = after.compare(today) > 0 ? today : after;
  return { startDate: startDate.towards(-daysApart), endDate: known.compare(endDate) > 0 ? known : endDate };
}

function changeIn({ credit, debit }: Entry): Decimal {
  return changeOf({ credit: credit ?? Decimal.zero, debit: debit ?? Decimal.zero });
}

function halfOf(reference: string, change: Decimal): string {
  return `${reference}\n${change.padded(scale)}`;
}

/**
 * The halves for this wallet of the journal's transfers between own wallets, by each reference that a row can have for
 * them.
 */
async function halvesInJournal(
  session: Session,
  accountNo: string,
  { period, others }: { readonly period: Period; readonly others: ReadonlySet<string> },
): Promise<Set<string>> {
  const halves = new Set<string>();
  const journal = await session.journal("read");
  const since = startOfDayInDarEsSalaam(period.startDate.towards(-daysApart));
  for await (const movement of journal.list({ scope: await session.accountScope(), since })) {
    if (movement.kind !== "transfer" || movement.state !== "accepted") continue;
    const request = requestOf(movement);
    const [from, to] = [textOf(request, "from"), textOf(request, "to")];
    const [moved] = amountsIn(movement.kind, request);
    if (moved === undefined || from === to || from === undefined || to === undefined) continue;
    const isOurs = (from === accountNo && others.has(to)) || (to === accountNo && others.has(from));
    if (!isOurs) continue;
    const change = from === accountNo ? moved.amount.negate() : moved.amount;
    for (const name of [movement.reference, movement.transactionId])
      if (name !== null && name !== "") halves.add(halfOf(name, change));
  }
  return halves;
}

/**
 * Adds the counterparts of the rows in another wallet's statement. A statement that cannot be read is noted and left
 * out.
 */
async function addHalves(
  halves: Set<string>,
  session: Session,
  { accountNo, period, from }: Required<OwnTransfersAsked> & { readonly from: WalletRows },
): Promise<void> {
  try {
    await from.stream(accountNo, period, async (rows) => {
      for await (const batch of rows)
        for (const row of batch) {
          const entry = entryOf(row, walletEntryShape);
          if (entry.reference !== "") halves.add(halfOf(entry.reference, changeIn(entry).negate()));
        }
    });
  } catch (error) {
    if (!(error instanceof Failure) || (error.ending !== "refused" && error.ending !== "unavailable")) throw error;
    await session.note(
      `Transfers between ${accountNo} and this wallet cannot be seen without its statement: ${error.message}`,
    );
  }
}
