import { accountBalance } from "../../contract/accounts.ts";
import { walletBalance } from "../../contract/wallets.ts";
import { textIn } from "../../statements/entry.ts";
import type { BookCurrencies } from "../../statements/reconcile/book/book-currencies.ts";
import { Failure } from "../../values/failure.ts";
import { quote, visible } from "../../values/text/text.ts";
import type { Session } from "../session.ts";

/** How many places are listed. */
const listedMaxCount = 50;

/**
 * Refuses a book with rows in another currency than the account: their amounts would match as its own.
 * @throws {Failure} usage | setup
 */
export async function refuseOtherCurrencies(
  session: Session,
  currencies: BookCurrencies,
  { accountNo, path, isMerchant }: { readonly accountNo: string; readonly path: string; readonly isMerchant: boolean },
): Promise<void> {
  const [first] = currencies.codes;
  if (first === undefined) return;
  const endpoint = isMerchant ? accountBalance : walletBalance;
  const said = await session.service.tryRead(endpoint, { accountNo });
  const name = isMerchant ? "currency" : "currencyCode";
  const own = said === undefined ? "" : textIn(said, name);
  if (own === "")
    await session.note(`The service does not say which currency ${accountNo} has; the book says ${first}.`);
  const others = currencies.placesOf((code) => code !== (own || first));
  if (others.length === 0) return;
  const places = others.slice(0, listedMaxCount).map(({ place, text }) => [place, quote(text)]);
  throw new Failure(
    "usage",
    own === ""
      ? `${visible(path)} has rows in several currencies.`
      : `${visible(path)} has rows in another currency than account ${accountNo}, which is in ${own}.`,
    {
      hint: "Leave these rows out, and reconcile them with an account of their currency. If the column means something else, rename it.",
      details: Object.fromEntries(places),
    },
  );
}
