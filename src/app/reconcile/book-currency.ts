import type { BookCurrencies } from "../../statements/reconcile/book/book-currencies.ts";
import type { AccountInQuestion } from "../../statements/reconcile/book/journal-book.ts";
import { Failure } from "../../values/failure.ts";
import { quote, visible } from "../../values/text/text.ts";
import type { Session } from "../session.ts";

/** How many places are listed. */
const listedMaxCount = 50;

/**
 * Refuses a book with rows in another currency than the account: their amounts would match as its own.
 * @throws {Failure} usage
 */
export async function refuseOtherCurrencies(
  session: Session,
  currencies: BookCurrencies,
  { account, path }: { readonly account: AccountInQuestion; readonly path: string },
): Promise<void> {
  const [first] = currencies.codes;
  if (first === undefined) return;
  const { accountNo, currency: own } = account;
  if (own === undefined)
    await session.note(`The service does not say which currency ${accountNo} has; the book says ${first}.`);
  const others = currencies.placesOf((code) => code !== (own ?? first));
  if (others.length === 0) return;
  const places = others.slice(0, listedMaxCount).map(({ place, text }) => [place, quote(text)]);
  throw new Failure(
    "usage",
    own === undefined
      ? `${visible(path)} has rows in several currencies.`
      : `${visible(path)} has rows in another currency than account ${accountNo}, which is in ${own}.`,
    {
      hint: "Leave these rows out, and reconcile them with an account of their currency. If the column means something else, rename it.",
      details: Object.fromEntries(places),
    },
  );
}
