import { basename } from "node:path";
import { checkExtension } from "../../client/form-check.ts";
import { unreachableCallbackUrl } from "../../contract/callback.ts";
import { namesOfAccount } from "../../journal/account-name.ts";
import type { Journal } from "../../journal/journal.ts";
import { noSums } from "../../journal/spending.ts";
import { openBatchFile } from "../../movements/batch/batch-file.ts";
import type { BatchForm } from "../../movements/batch/batch-form.ts";
import type { BatchCheck, BatchContext } from "../../movements/batch/check.ts";
import { refuseTooMany } from "../../movements/batch/batch-file.ts";
import { checkBatch } from "../../movements/batch/check.ts";
import { batchId, digesting } from "../../movements/batch/identity.ts";
import { formerRows } from "../../movements/batch/rows/former-rows.ts";
import { batchLikeWindowMs } from "../../movements/batch/repeat-violations.ts";
import { correcting } from "../../movements/batch/violation-list.ts";
import type { WalletIndex } from "../../movements/batch/order-amount.ts";
import { refuseAccountSlip } from "../../movements/guards/repeats.ts";
import { needsCurrencies } from "../../movements/guards/guards.ts";
import { stateFolder } from "../../profiles/folders.ts";
import { nicknamesInUse } from "../accounts/nicknames.ts";
import type { Session } from "../session.ts";
import type { BatchFlags } from "./flags.ts";
import { batchForm, expectationOf } from "./flags.ts";
import type { Noted } from "./service-lists.ts";
import { listsOf } from "./service-lists.ts";

/** A checked file, and what is known of it before sending. */
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
  /** What could not be read from the service, in words. */
  readonly notes: readonly string[];
}

export interface PlanOptions {
  readonly journal: Journal;
  /** True for a batch id that is known already: a batch keeps the id that it has under another name of its account. */
  readonly isKnown: (id: string) => Promise<boolean>;
  /** Names of the account that the journal may not know. */
  readonly otherAccounts?: readonly string[] | undefined;
  readonly allowsRepeats: boolean;
  /** Whether the service is asked, and for how long: `briefly` where rows are waiting to be sent. */
  readonly asks: "nothing" | "briefly" | "patiently";
  /** True for a dry run: what the service can't answer stays open. */
  readonly isDry?: boolean | undefined;
}

/**
 * Reads and checks a whole file: its form, its rows, what the journal knows of their references, what the profile
 * allows, and what the service's own lists say.
 * @throws {Failure} usage, with every fault of every row | setup | interrupted
 */
export async function planBatch(
  source: string,
  flags: BatchFlags,
  session: Session,
  { journal, isKnown, otherAccounts = [], ...options }: PlanOptions,
): Promise<BatchPlan> {
  const account = await session.account();
  const isAsked = flags.kind === "collect" && account.extensions.has("collection-status");
  const asked = batchForm(flags, account.callbackUrl ?? (isAsked ? unreachableCallbackUrl : undefined));
  if (options.asks !== "nothing") await refuseTooMany(session.host, source, asked);
  const reading = digesting(session.host);
  const sheet = await openBatchFile(reading, source, asked);
  const form = { ...asked, delimiter: sheet.delimiter, sheet: sheet.sheet };
  const scope = await session.accountScope();
  const accounts = [...(await journal.accounts()), ...otherAccounts];
  if (!options.allowsRepeats) refuseAccountSlip(scope, accounts, "--allow-repeats");
  const notes: string[] = [];
  const note = (line: string) => void notes.push(line);
  const names = namesOfAccount(scope, accounts);
  let ownIds: ReadonlySet<string> | undefined;
  const isThisFile = (batch: string) =>
    (ownIds ??= new Set(names.map((name) => batchId(reading.digest(), form, name)))).has(batch);
  const facts = await contextOf(form, session, { scope, journal, note, ...options });
  const rowsOf = formerRows(session.host, stateFolder(session.host), facts);
  const context = { ...facts, history: { isThisFile, rowsOf } };
  const check = await checkBatch(sheet, form, expectationOf(flags), context);
  const failure = check.violations.failure(source, sheet.sheet === undefined ? undefined : correctWorkbook);
  if (failure !== undefined) {
    for (const line of [...notes, ...check.warnings.map((warning) => `Warning: ${warning}`)]) await session.note(line);
    throw failure;
  }
  const digest = reading.digest();
  return {
    ...(await identityOf(digest, form, names, isKnown)),
    source,
    file: basename(source),
    digest,
    form,
    header: sheet.header,
    check,
    wallets: context.wallets,
    notes,
  };
}

const correctWorkbook = correcting("save it, and run the same command again.");

/** A batch's id, and the account name under which it is known already; the current name for a new batch. */
async function identityOf(
  digest: string,
  form: BatchForm,
  names: readonly string[],
  isKnown: PlanOptions["isKnown"],
): Promise<Pick<BatchPlan, "id" | "scope">> {
  const [own = { id: "", scope: "" }, ...others] = names.map((scope) => ({ id: batchId(digest, form, scope), scope }));
  if (others.length === 0 || (await isKnown(own.id))) return own;
  for (const other of others) if (await isKnown(other.id)) return other;
  return own;
}

async function contextOf(
  form: BatchForm,
  session: Session,
  {
    scope,
    journal,
    allowsRepeats,
    asks,
    isDry = false,
    note,
  }: Omit<PlanOptions, "isKnown" | "otherAccounts"> & Noted & { readonly scope: string },
): Promise<Omit<BatchContext, "history">> {
  const { guards, likeWindowMs: windowMs = batchLikeWindowMs } = await session.account();
  const { service } = await session.connection();
  if (form.kind === "payout") checkExtension("payout", service);
  const today = session.today();
  const mayRemit = form.kind === "remit" || form.kind === undefined;
  const lists =
    asks === "nothing"
      ? { wallets: undefined, institutions: undefined }
      : await listsOf(session, asks, { mayRemit, currenciesMatter: !isDry && needsCurrencies(guards), note });
  // By now the service has answered, and its clock is known.
  const limitDays = session.limitDays();
  return {
    today,
    nowMs: session.host.clock.now(),
    tagged: form.tagged,
    nicknames: await nicknamesInUse(session.host, session.profileFlag),
    journal,
    scope,
    guards,
    windowMs,
    allowsRepeats,
    limitDays,
    spent: guards.dayMax === undefined ? noSums : await journal.spent(scope, limitDays.earliest),
    takesRemittances: service.live,
    takesPayouts: service.extensions.has("payout"),
    ...lists,
  };
}
