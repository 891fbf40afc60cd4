import { lookAt } from "../look.ts";
import { checkPlace } from "../../client/form-check.ts";
import { listInstitutions, remit } from "../../contract/remittance.ts";
import type { Violations } from "../../contract/request.ts";
import { laterViolations, remittanceViolations } from "../../remittance/check.ts";
import type { OnWrongFields } from "../../remittance/draft-file.ts";
import { readDraft, readSender } from "../../remittance/draft-file.ts";
import type { RemittanceDraft } from "../../remittance/draft.ts";
import { remittanceFields } from "../../remittance/fields.ts";
import type { Institution } from "../../remittance/institution.ts";
import { institutionViolation, institutionsOf } from "../../remittance/institution.ts";
import { askForChange, askForRest } from "../../remittance/questions.ts";
import { unlessLeft } from "../../host/process/prompts.ts";
import type { Day } from "../../values/time/day.ts";
import { Failure } from "../../values/failure.ts";
import { combined } from "../../values/violation.ts";
import { visible } from "../../values/text/text.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import { isOrdered } from "../money/place-order.ts";
import { moneyTools } from "../money/money-context.ts";
import type { Session } from "../session.ts";
import { checkSenderFile, readText } from "./files.ts";
import { flagOf } from "./flags.ts";

export interface DraftSources {
  readonly fromFile: string | undefined;
  readonly senderFrom: string | undefined;
  /** The file to save the sender in. */
  readonly saveSender: string | undefined;
  /** The values of flags. */
  readonly given: RemittanceDraft;
  /** True where the service is not asked for its institutions. */
  readonly dryRun: boolean;
  /** Prints a command line with what a person answered before ending the questions. */
  readonly keep?: ((draft: RemittanceDraft, unsaid: RemittanceDraft) => Promise<void>) | undefined;
}

export interface CompleteDraft {
  readonly draft: RemittanceDraft;
  /** Values that need no flag: from a file, the profile or the clock, or constant. */
  readonly unsaid: RemittanceDraft;
  /** Undefined where the list is not available. */
  readonly institutions: readonly Institution[] | undefined;
  /** True after a person was asked for a field. */
  readonly asked: boolean;
  /** Fields that were filled in from the clock. */
  readonly made: readonly string[];
}

/**
 * A remittance with nothing missing and nothing wrong: flags override files, files override constants, and a person is
 * asked for the rest where there is one.
 * @throws {Failure} usage | setup; off a terminal it names every gap at once
 */
export async function completeDraft(session: Session, sources: DraftSources): Promise<CompleteDraft> {
  const { service } = await session.connection();
  checkPlace(remit, service);
  if (sources.saveSender !== undefined) await checkSenderFile(sources.saveSender, session);
  const { known, unsaid, made, wrong } = await knownDraft(session, sources);
  const today = session.today();
  if (canAsk(session, sources) && wrong.length > 0) throw combined(wrong);
  const isSent = await wasSent(known, today, session, sources);
  const violations = canAsk(session, sources) ? [] : isSent ? wrong : gapsOf(known, wrong, today);
  if (violations.length > 0) throw combined(violations);
  const rows = sources.dryRun || isSent ? undefined : await institutionsFor(known, session);
  const institutions = rows === undefined ? undefined : institutionsOf(rows);
  const violationsOf = (draft: RemittanceDraft): Violations => {
    if (isSent) return {};
    const violation = institutionViolation(draft, institutions ?? []);
    return {
      ...(violation === undefined ? {} : { institutionCode: violation }),
      ...remittanceViolations(draft, today),
    };
  };
  const draft = isAny(violationsOf(known))
    ? await askPerson({ known, unsaid }, institutions ?? [], violationsOf, session, sources)
    : known;
  return { draft, unsaid, institutions, asked: draft !== known, made };
}

/** A person who chooses an institution needs the list; an order that names one does not wait for it for long. */
function institutionsFor(known: RemittanceDraft, session: Session) {
  if (known.has("institutionCode")) return lookAt(session, listInstitutions, {}, "its institutions");
  return session.service.tryRead(listInstitutions, {});
}

/** True for an order that was sent already, even if something would keep it from being sent now. */
async function wasSent(known: RemittanceDraft, today: Day, session: Session, { dryRun }: DraftSources) {
  const violations = Object.values(remittanceViolations(known, today));
  if (dryRun || violations.some((violation) => !laterViolations.has(violation))) return false;
  const reference = known.get("partnerReference") ?? "";
  return isOrdered({ kind: "remit", reference }, await moneyTools(session));
}

/**
 * Violations in a remittance that can be found without the service, except those of its flags.
 * @throws {Failure} usage | setup
 */
export async function draftViolations(
  session: Session,
  sources: DraftSources,
  misread: ReadonlySet<string>,
): Promise<readonly Failure[]> {
  const { known, wrong } = await knownDraft(session, sources);
  // A missing field is asked for on a terminal.
  const isAsked = (path: string) => canAsk(session, sources) && !known.has(path);
  return gapsOf(known, wrong, session.today(), (path) => misread.has(flagOf(path)) || isAsked(path));
}

/** All values that are known before a person is asked: from flags, files, profile, clock and constants. */
async function knownDraft(session: Session, sources: DraftSources) {
  const wrong: Failure[] = [];
  const filed = await draftOfFiles(sources, session, (failure) => void wrong.push(failure));
  const unsaid = new Map([...(await standards(session)), ...filed]);
  const made = unsaid.has("paymentDate") || sources.given.has("paymentDate") ? [] : ["paymentDate"];
  for (const path of made) unsaid.set(path, isoDarEsSalaam(session.host.clock.now()));
  const known = new Map([...unsaid, ...sources.given]);
  if (!known.has("partnerReference")) known.set("partnerReference", session.newReference("R"));
  return { known, unsaid, made, wrong };
}

/** Violations in files, and missing or invalid fields. */
function gapsOf(
  known: RemittanceDraft,
  wrong: readonly Failure[],
  today: Day,
  isNamed: (path: string) => boolean = () => false,
): readonly Failure[] {
  const named = new Set(wrong.flatMap(({ details = {} }) => Object.keys(details)));
  const violations = Object.entries(remittanceViolations(known, today));
  const left = Object.fromEntries(violations.filter(([path]) => !named.has(path) && !isNamed(path)));
  return isAny(left) ? [...wrong, incomplete(left)] : wrong;
}

async function askPerson(
  { known, unsaid }: { readonly known: RemittanceDraft; readonly unsaid: RemittanceDraft },
  institutions: readonly Institution[],
  violationsOf: (draft: RemittanceDraft) => Violations,
  session: Session,
  sources: DraftSources,
): Promise<RemittanceDraft> {
  if (!canAsk(session, sources)) throw incomplete(violationsOf(known));
  // Missing credentials, or a missing journal, are reported before any question is asked.
  if (!sources.dryRun) await moneyTools(session);
  const prompts = await session.host.prompts();
  const say = (line: string) => session.host.stderr.write(`${visible(line)}\n`);
  const keep = async (answered: RemittanceDraft) => sources.keep?.(answered, unsaid);
  const draft = await askForRest(known, { prompts, institutions, violationsOf, say, keep });
  const left = violationsOf(draft);
  if (isAny(left)) throw incomplete(left);
  return draft;
}

/**
 * Asks a person who answered `e` what to change.
 * @param given the flags so far
 * @param fixed fields that cannot be changed
 * @returns the flags as they would have been
 */
export async function changedByPerson(
  given: RemittanceDraft,
  { draft, institutions = [] }: Pick<CompleteDraft, "draft" | "institutions">,
  fixed: readonly string[],
  session: Session,
): Promise<RemittanceDraft> {
  const today = session.today();
  const asked = askForChange(draft, fixed, {
    prompts: await session.host.prompts(),
    institutions,
    violationsOf: (changed) => remittanceViolations(changed, today),
    say: (line) => session.host.stderr.write(`${visible(line)}\n`),
  });
  const change = await unlessLeft(asked, session.host.signal);
  const answers = [...draft].filter(([name]) => name !== "paymentDate");
  return new Map([...given, ...answers, ...(change === undefined ? [] : [change])]);
}

async function draftOfFiles(
  { fromFile, senderFrom }: DraftSources,
  session: Session,
  onWrong: OnWrongFields,
): Promise<RemittanceDraft> {
  const draft = fromFile === undefined ? [] : readDraft(await readText(fromFile, "--from-file", session), onWrong);
  const sender =
    senderFrom === undefined ? [] : readSender(await readText(senderFrom, "--sender-from", session), onWrong);
  return new Map([...draft, ...sender]);
}

/** Default values: the constants of the service and the profile's callback address. */
async function standards(session: Session): Promise<[string, string][]> {
  const { callbackUrl } = await session.account();
  const constants = remittanceFields.flatMap(({ path, standard }): [string, string][] =>
    standard === undefined ? [] : [[path, standard]],
  );
  return callbackUrl === undefined ? constants : [["callbackUrl", callbackUrl], ...constants];
}

/** False where the draft is read from stdin, which then can't give answers. */
function canAsk(session: Session, { fromFile }: DraftSources): boolean {
  return session.canAsk && fromFile !== "-";
}

function isAny(violations: Violations): boolean {
  return Object.keys(violations).length > 0;
}

function incomplete(violations: Violations): Failure {
  const details = Object.entries(violations).map(([path, violation]) => [flagOf(path), `${path} ${violation}`]);
  const hint = "Give each of these by its flag or in --from-file, or run it on a terminal, which asks for them.";
  return new Failure("usage", "The remittance cannot be sent as it is; nothing was sent.", {
    hint:
      violations["institutionCode"] === undefined ? hint : `${hint} Which institutions there are: partner institutions`,
    money: "not moved",
    details: Object.fromEntries(details),
  });
}
