import { basename } from "node:path";
import { listInstitutions } from "../../contract/remittance.ts";
import { listWallets } from "../../contract/wallets.ts";
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
import type { Institution } from "../../remittance/institution.ts";
import { institutionsOf } from "../../remittance/institution.ts";
import { Failure } from "../../values/failure.ts";
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
  /** False where nothing may be asked of the service. */
  readonly asks: boolean;
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
  if (asks) await refuseTooMany(session.host, source, form);
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
    wallets: asks ? await walletsOf(session, needsCurrencies(guards)) : undefined,
    institutions: asks && mayRemit && service.live ? await institutionsOfService(session) : undefined,
  };
}

/**
 * A look at the wallets also finds out whether the service takes the credentials, before a row is tried with them.
 * @param areNeeded where a limit cannot be kept without them
 */
async function walletsOf(session: Session, areNeeded: boolean): Promise<WalletIndex> {
  try {
    return indexWallets(await session.service.read(listWallets, {}));
  } catch (error) {
    if (areNeeded) throw explained(error);
    await noteUnread(error, "The wallets", session);
    return undefined;
  }
}

async function institutionsOfService(session: Session): Promise<readonly Institution[] | undefined> {
  try {
    return institutionsOf(await session.service.read(listInstitutions, {}));
  } catch (error) {
    await noteUnread(error, "The institutions", session);
    return undefined;
  }
}

async function noteUnread(error: unknown, what: string, session: Session): Promise<void> {
  if (!(error instanceof Failure) || error.ending === "setup" || error.ending === "interrupted") throw error;
  await session.note(`${what} could not be read: ${error.message}`);
}
