import { listInstitutions } from "../contract/remittance.ts";
import { remittanceFaults } from "../remittance/check.ts";
import type { Draft } from "../remittance/draft.ts";
import { bodyOf, readDraft } from "../remittance/draft.ts";
import { remittanceFields } from "../remittance/fields.ts";
import type { Institution } from "../remittance/institution.ts";
import { institutionsOf } from "../remittance/institution.ts";
import { askForRest } from "../remittance/questions.ts";
import { Failure } from "../values/failure.ts";
import { parseMsisdn } from "../values/msisdn.ts";
import { quote } from "../values/text.ts";
import { isoDarEsSalaam } from "../values/wall-time.ts";
import { flagOf } from "./remittance-flags.ts";
import type { Session } from "./session.ts";

const draftMaxBytes = 1_048_576;

export interface DraftSources {
  readonly fromFile: string | undefined;
  readonly reference: string | undefined;
  readonly given: Draft;
  /** True where nothing may be asked of the service. */
  readonly dryRun: boolean;
}

export interface CompleteDraft {
  readonly draft: Draft;
  /** Undefined where the list could not be had. */
  readonly institutions: readonly Institution[] | undefined;
  /** True when a person was asked for something. */
  readonly asked: boolean;
  readonly dateIsMade: boolean;
}

/**
 * A remittance with nothing missing and nothing wrong: flags over file over what is always the same, and a person's
 * answers where there is a person.
 * @throws {Failure} usage; off a terminal it names every gap at once
 */
export async function completeDraft(session: Session, sources: DraftSources): Promise<CompleteDraft> {
  const filed =
    sources.fromFile === undefined ? new Map<string, string>() : await draftOfFile(sources.fromFile, session);
  const dateIsMade = !filed.has("paymentDate");
  const known = normalised(new Map([...(await standards(session)), ...filed, ...sources.given]));
  if (sources.reference !== undefined) known.set("partnerReference", sources.reference);
  if (!known.has("partnerReference")) known.set("partnerReference", session.newReference("R"));
  const today = session.today();
  const faultsOf = (draft: Draft) => remittanceFaults(bodyOf(draft), draft, today);
  const live = (await session.account()).environment !== "sandbox";
  const gaps = Object.keys(faultsOf(known)).length > 0;
  if (gaps && !(session.canAsk && live)) throw incomplete(faultsOf(known));
  const rows = sources.dryRun || !live ? undefined : await session.service.glance(listInstitutions, {});
  const institutions = rows === undefined ? undefined : institutionsOf(rows);
  if (!gaps) return { draft: known, institutions, asked: false, dateIsMade };
  const prompts = await session.host.prompts();
  const draft = normalised(await askForRest(known, { prompts, institutions: institutions ?? [], faultsOf }));
  const left = faultsOf(draft);
  if (Object.keys(left).length > 0) throw incomplete(left);
  return { draft, institutions, asked: true, dateIsMade };
}

/** What stands there when nobody says anything: the constants of the service, the moment, the profile's callback. */
async function standards(session: Session): Promise<[string, string][]> {
  const { callbackUrl } = await session.account();
  const constants = remittanceFields.flatMap(({ path, standard }): [string, string][] =>
    standard === undefined ? [] : [[path, standard]],
  );
  return [
    ["paymentDate", isoDarEsSalaam(session.host.clock.now())],
    ...(callbackUrl === undefined ? [] : [["callbackUrl", callbackUrl] satisfies [string, string]]),
    ...constants,
  ];
}

/** Phone numbers in the service's form where they can be brought into it; others stay and are named as faults. */
function normalised(draft: ReadonlyMap<string, string>): Map<string, string> {
  const known = new Map(draft);
  const phone = draft.get("receiver.phoneNumber");
  if (phone === undefined) return known;
  try {
    return known.set("receiver.phoneNumber", parseMsisdn(phone, "--receiver-phone-number"));
  } catch (error) {
    if (error instanceof Failure) return known;
    throw error;
  }
}

async function draftOfFile(path: string, session: Session): Promise<Draft> {
  const { host } = session;
  const bytes = await (path === "-" ? host.stdin.read(draftMaxBytes) : host.files.read(path, draftMaxBytes)).catch(
    (cause: unknown) => {
      throw new Failure("usage", `The draft ${quote(path)} cannot be read.`, {
        hint: "Make one: partner remit template > draft.json",
        cause,
      });
    },
  );
  return readDraft(new TextDecoder().decode(bytes));
}

function incomplete(faults: Readonly<Record<string, string>>): Failure {
  const details = Object.fromEntries(Object.entries(faults).map(([path, fault]) => [flagOf(path), `${path} ${fault}`]));
  return new Failure("usage", "The remittance is not complete yet; nothing was sent.", {
    hint: "Give each of these by its flag or in --from-file, or run it on a terminal, which asks for them.",
    money: "not moved",
    details,
  });
}
