import type { Approvals } from "../../../approvals/approvals.ts";
import type { RulesInForce } from "../../../approvals/rule-store.ts";
import type { BatchDecision, SubmittedBatch } from "../../../approvals/submitted-batch.ts";
import { isJsonObject } from "../../../values/json.ts";
import { decodeJson } from "../../../contract/wire.ts";
import { Failure } from "../../../values/failure.ts";
import { forgedReason } from "../../../movements/approved-batch.ts";
import type { SubmittedReview } from "../review.ts";
import type { Session } from "../../session.ts";
import { isSignedBy } from "./ssh-keygen.ts";
import { principal, signersOf } from "./signers.ts";

const signersMaxBytes = 1024 * 1024;

/** What decides whether approvals have to be signed, and by whom. */
export interface SignatureDemand {
  /** The text of `--signers`: keys that the runner trusts, whatever the database says. */
  readonly signers: string | undefined;
}

/** @throws {Failure} usage where it can't be read */
export async function readSigners(path: string | undefined, { host }: Session): Promise<SignatureDemand> {
  if (path === undefined) return { signers: undefined };
  try {
    return { signers: new TextDecoder().decode(await host.files.read(path, signersMaxBytes)) };
  } catch (cause) {
    throw new Failure("usage", "The file of --signers cannot be read; nothing was sent.", {
      hint: "Give it a file as ssh-keygen takes it (allowed_signers): ROLE KEYTYPE KEY",
      money: "not moved",
      cause,
    });
  }
}

/**
 * The approvals whose signature of exactly this batch is by a key of the person who approved it; undefined where they
 * need not be signed.
 * @throws {Failure} setup where one has to be signed, and none is
 */
export async function signedDecisions(
  { submitted, decisions }: Pick<SubmittedReview, "submitted" | "decisions">,
  approvals: Approvals,
  { signers }: SignatureDemand,
  session: Session,
): Promise<readonly BatchDecision[] | undefined> {
  if (signers === undefined && !(await isDemanded(approvals, submitted))) return undefined;
  const keys = (await approvals.keys.list()).filter(({ removed }) => removed === undefined);
  const held: BatchDecision[] = [];
  for (const decision of decisions) {
    const { by, signature } = decision;
    if (decision.decision !== "approved" || signature === null) continue;
    const trusted =
      signers === undefined
        ? { signers: signersOf(keys.filter((key) => key.by === by)), principal }
        : { signers, principal: by };
    if (await isSignedBy(session.host, { text: submitted.digest, signature }, trusted)) held.push(decision);
  }
  if (held.length === 0) throw unsigned(submitted);
  return held;
}

/**
 * True where rules demand signatures: those in force now, or those in force when the batch was submitted. Rules that
 * are relaxed meanwhile don't lower what a waiting batch needs.
 */
export async function isDemanded(
  approvals: Approvals,
  { submittedAt }: Pick<SubmittedBatch, "submittedAt">,
): Promise<boolean> {
  const history = await approvals.rules.history();
  return [history.findLast(({ second }) => second.at <= submittedAt), history.at(-1)].some(asksForSignatures);
}

function asksForSignatures(inForce: RulesInForce | undefined): boolean {
  if (inForce === undefined) return false;
  const value = decodeJson(inForce.rules);
  return isJsonObject(value) && value["signatures"] === "required";
}

function unsigned({ id }: SubmittedBatch): Failure {
  return new Failure("setup", `Batch ${id} has no approval with a valid signature; none of it was sent.`, {
    hint: `Have a checker sign it: partner batch approve ${id} --sign. Registered keys: partner approvals key list`,
    money: "not moved",
    reason: forgedReason,
  });
}
