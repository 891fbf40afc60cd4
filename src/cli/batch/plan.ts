import { basename } from "node:path";
import { late } from "../../client/reader.ts";
import { listInstitutions } from "../../contract/remittance.ts";
import { listWallets } from "../../contract/wallets.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import type { Journal } from "../../journal/journal.ts";
import { noSums } from "../../journal/spending.ts";
import { openBatchFile } from "../../movements/batch/batch-file.ts";
import type { BatchForm } from "../../movements/batch/batch-form.ts";
import type { BatchCheck, BatchScene } from "../../movements/batch/check.ts";
import { checkBatch, refuseTooMany } from "../../movements/batch/check.ts";
import { batchId, digesting } from "../../movements/batch/identity.ts";
import type { WalletIndex } from "../../movements/batch/worth.ts";
import { indexWallets } from "../../movements/batch/worth.ts";
import { needsCurrencies } from "../../movements/guards.ts";
import { institutionsOf } from "../../remittance/institution.ts";
import { Failure } from "../../values/failure.ts";
import { namesAndBalances } from "../money/preview.ts";
import type { Session } from "../session.ts";
import { explained } from "../money/wallet-currencies.ts";
import type { BatchFlags } from "./flags.ts";
import { batchForm, expectationOf } from "./flags.ts";

/** A file that was checked, and all that is known of it before anything is sent. */
export interface BatchPlan {
  readonly id: string;
  readonly scope: string;
  readonly source: string;
  readonly file: string;
  readonly digest: string;
  readonly form: BatchForm & { readonly delimiter: string };
  readonly header: readonly string[];
  readonly check: BatchCheck;
  readonly wallets: WalletIndex;
}

export interface PlanOptions {
  readonly journal: Journal;
  /** What may be asked of the service: for as long as it takes, or for a moment where rows are waiting to be sent. */
  readonly asks: "nothing" | "briefly" | "patiently";
}

/**
 * Reads and checks a whole file: its form, its rows, what the journal knows of their references, what the profile lets
 * happen, and what the service's own lists say.
 * @throws {Failure} usage, with every fault of every row | setup | interrupted
 */
export async function planBatch(
  source: string,
  flags: BatchFlags,
  session: Session,
  { journal, asks }: PlanOptions,
): Promise<BatchPlan> {
  const account = await session.account();
  const form = batchForm(flags, account.callbackUrl);
  if (asks !== "nothing") await refuseTooMany(session.host, source, form);
  const reading = digesting(session.host);
  const sheet = await openBatchFile(reading, source, form);
  const scope = await session.accountScope();
  const scene = await sceneOf(form, session, { scope, journal, asks });
  const check = await checkBatch(sheet, form, expectationOf(flags), scene);
  const failure = check.faults.failure(source);
  if (failure !== undefined) throw failure;
  const digest = reading.digest();
  return {
    id: batchId(digest, form, scope),
    scope,
    source,
    file: basename(source),
    digest,
    form: { ...form, delimiter: sheet.delimiter },
    header: sheet.header,
    check,
    wallets: scene.wallets,
  };
}

async function sceneOf(
  form: BatchForm,
  session: Session,
  { scope, journal, asks }: PlanOptions & { readonly scope: string },
): Promise<BatchScene> {
  const { guards } = await session.account();
  const { service } = await session.serviceLine();
  const today = session.today();
  const mayRemit = form.kind === "remit" || form.kind === undefined;
  return {
    today,
    nowMs: session.host.clock.now(),
    tagged: form.tagged,
    journal,
    scope,
    guards,
    spent: guards.dayMax === undefined ? noSums : await journal.spent(scope, today),
    takesRemittances: service.live,
    ...(asks === "nothing"
      ? { wallets: undefined, institutions: undefined }
      : await listsOf(session, asks, { mayRemit, currenciesMatter: needsCurrencies(guards) })),
  };
}

/**
 * What the service says of wallets and institutions. A look at the wallets also finds out whether it takes the
 * credentials, before a row is tried with them.
 * @param currenciesMatter true where a limit can't be kept without the wallets: they are waited for then
 */
async function listsOf(
  session: Session,
  asks: "briefly" | "patiently",
  { mayRemit, currenciesMatter }: { readonly mayRemit: boolean; readonly currenciesMatter: boolean },
) {
  const { service } = await session.serviceLine();
  const [wallets, institutions] = await Promise.all([
    currenciesMatter ? neededWallets(session) : listOf(listWallets, namesAndBalances, asks, session),
    mayRemit && service.live ? listOf(listInstitutions, "institutions", asks, session) : undefined,
  ]);
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
  session: Session,
): Promise<Output | undefined> {
  try {
    if (asks === "patiently") return await session.service.read(endpoint, {});
    return await session.service.look(endpoint, {}, { what, isTriedAgain: true });
  } catch (error) {
    if (!(error instanceof Failure) || error.ending === "setup" || error.ending === "interrupted") throw error;
    const isLate = error.reason === late;
    await session.note(isLate ? `${error.message}; the order goes on without.` : `No ${what}: ${error.message}`);
    return undefined;
  }
}
