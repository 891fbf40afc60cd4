import { lateReason } from "../../client/reader.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { listInstitutions } from "../../contract/remittance.ts";
import { listWallets } from "../../contract/wallets.ts";
import { indexWallets } from "../../movements/batch/order-amount.ts";
import { institutionsOf } from "../../remittance/institution.ts";
import { Failure } from "../../values/failure.ts";
import { namesAndBalances } from "../money/preview.ts";
import { keepCurrencies } from "../seen/keep-currencies.ts";
import { explained } from "../money/wallet-currencies.ts";
import type { Session } from "../session.ts";

export interface Noted {
  /** Called with what could not be read from the service. */
  readonly note: (line: string) => void;
}

/**
 * The service's lists of wallets and institutions. Reading the wallets also checks the credentials, before a row is
 * sent with them.
 * @param currenciesMatter true where a limit depends on the wallets: then reading them must succeed
 */
export async function listsOf(
  session: Session,
  asks: "briefly" | "patiently",
  { mayRemit, currenciesMatter, note }: Noted & { readonly mayRemit: boolean; readonly currenciesMatter: boolean },
) {
  const { service } = await session.connection();
  const [wallets, institutions] = await Promise.all([
    currenciesMatter ? neededWallets(session) : listOf(listWallets, namesAndBalances, asks, { session, note }),
    mayRemit && service.live ? listOf(listInstitutions, "institutions", asks, { session, note }) : undefined,
  ]);
  await keepCurrencies(wallets, session);
  return { wallets: wallets && indexWallets(wallets), institutions: institutions && institutionsOf(institutions) };
}

function neededWallets(session: Session) {
  return session.service.read(listWallets, {}).catch((error: unknown) => {
    throw explained(error);
  });
}

async function listOf<Output>(
  endpoint: Endpoint<"reads", object, Output>,
  what: string,
  asks: "briefly" | "patiently",
  { session, note }: Noted & { readonly session: Session },
): Promise<Output | undefined> {
  try {
    if (asks === "patiently") return await session.service.read(endpoint, {});
    return await session.service.look(endpoint, {}, { what, isTriedAgain: true });
  } catch (error) {
    if (!(error instanceof Failure) || error.ending === "setup" || error.ending === "interrupted") throw error;
    const isLate = error.reason === lateReason;
    note(isLate ? `${error.message}; the order continues without it.` : `No ${what}: ${error.message}`);
    return undefined;
  }
}
