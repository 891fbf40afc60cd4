import { walletBalance } from "../../contract/wallets.ts";
import type { Rows } from "../../contract/endpoint.ts";
import { textIn } from "../../statements/entry.ts";
import type { AccountFacts } from "../../statements/statement-file.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Period } from "../../values/time/period.ts";
import { describePeriod, monthsOf } from "../../values/time/period.ts";
import type { Session } from "../session.ts";
import type { WalletRows } from "./own-transfers.ts";
import type { StatementSource } from "./statement-source.ts";

/** The statements of one account: the one place that puts its number and a period into a request. */
export interface AccountStatements extends Pick<StatementSource, "accountKind" | "columns" | "shape"> {
  readonly accountNo: string;
  /** The other wallets of the profile, where they do not come from the service. */
  readonly wallets?: WalletRows | undefined;
  /**
   * The rows of a period, which can be read again.
   * @param by default: in one piece
   * @throws {Failure} setup | refused | unavailable
   */
  read(period: Period, by?: "month"): Promise<Rows>;
  /**
   * Passes the rows on while they arrive. They cannot be read again.
   * @throws {Failure} as `read`, and what `use` throws
   */
  stream<Result>(period: Period, use: (rows: Rows) => Promise<Result>): Promise<Result>;
  /** The balance as the service gives it; undefined where it gives none. */
  balance(): Promise<JsonObject | undefined>;
  /** The currency, for people: spec 2.6 has no such field in an entry. Machines get what was sent. */
  shownCurrency(): Promise<string | undefined>;
  /**
   * Facts about the account that its rows do not have.
   * @throws {Failure} as `read`
   */
  facts(): Promise<AccountFacts>;
}

/** The statements of an account whose number is known. */
export function statementsOf(source: StatementSource, session: Session, accountNo: string): AccountStatements {
  const { service } = session;
  const { accountKind, columns, shape, statement } = source;
  const during = ({ startDate, endDate }: Period) => ({
    accountNo,
    startDate: startDate.toString(),
    endDate: endDate.toString(),
  });
  const piece = (period: Period) => service.read(statement, during(period));
  return {
    accountKind,
    columns,
    shape,
    accountNo,
    async read(period, by) {
      if (by === undefined) return piece(period);
      const pieces: Rows[] = [];
      for (const month of monthsOf(period)) {
        await session.note(`Reading ${describePeriod(month)} …`);
        pieces.push(await piece(month));
      }
      const { joinPieces } = await import("../../statements/joined-pieces.ts");
      return joinPieces(pieces);
    },
    stream: (period, use) => service.stream(statement, during(period), use),
    balance: () => service.tryRead(source.balance, { accountNo }),
    async shownCurrency() {
      if (accountKind !== "wallet") return undefined;
      const wallet = await service.tryRead(walletBalance, { accountNo });
      return wallet && (textIn(wallet, "currencyCode") || undefined);
    },
    facts: () => source.account(service, accountNo),
  };
}
