import { PostgresError } from "../../../host/databases/postgres.ts";
import { Failure } from "../../../values/failure.ts";
import { visible } from "../../../values/text/text.ts";
import { noCheckersWord, permissionErrors } from "../approvals/words.ts";

interface DeniedWords {
  readonly ending: "setup" | "usage" | "refused" | "unknown";
  /** `said` is what the database named. */
  readonly words: (said: string) => string;
  readonly hint: string | ((said: string) => string);
  readonly money?: "unknown";
  readonly reason?: string;
}

const alone: DeniedWords = {
  ending: "unknown",
  words: (said) => `The order ${said} is of an approved batch, and stays as it is until a checker says the same.`,
  hint: 'Have a checker run the same command: partner journal resolve KEY --as refused --evidence "…"',
  money: "unknown",
  reason: noCheckersWord,
};

const ownBatch: DeniedWords = {
  ending: "setup",
  words: (said) =>
    `The batch was submitted by ${said}, which is this role, or one that this role can become: another person has to decide.`,
  hint: "Have another person look at it: partner batch approve ID",
};

const withdrawn: DeniedWords = {
  ending: "refused",
  words: (said) => `Batch ${said} was withdrawn by its maker; nothing was decided.`,
  hint: "See what there is: partner batch list",
};

const rejected: DeniedWords = {
  ending: "refused",
  words: (said) => `Batch ${said} was rejected, and a rejection is final; nothing was decided.`,
  hint: "Have its maker submit it again (partner batch submit FILE): a new batch, whose approvers see who rejected this one.",
};

const denied: Readonly<Record<string, DeniedWords>> = {
  [permissionErrors.noApproval]: {
    ending: "usage",
    words: () => "The shared journal does not take this order: it has no approval.",
    hint: "Submit it, have another person approve it, then run it: partner batch submit FILE, batch approve ID, batch run --approved",
  },
  [permissionErrors.otherOrder]: {
    ending: "usage",
    words: () => "The shared journal does not take this order: it is not the row of the batch that was submitted.",
    hint: "Submit what is meant: partner batch submit FILE",
  },
  [permissionErrors.ownBatch]: ownBatch,
  [permissionErrors.goneMaker]: {
    ending: "setup",
    words: (said) =>
      `The batch was submitted by ${said}, and no role has that name any more: the person can have another one.`,
    hint: "Submit it again under a role that exists: partner batch submit FILE. To end this one: partner batch reject ID --reason TEXT",
  },
  [permissionErrors.notAllowed]: {
    ending: "setup",
    words: (said) => `The role ${said} isn't a checker.`,
    hint: "Have the owner of the database make it one: GRANT partner_checker_DATABASE TO …",
  },
  [permissionErrors.otherDigest]: {
    ending: "setup",
    words: () => "What was looked at is not what was submitted; nothing was decided.",
    hint: "Look at it again: partner batch list",
  },
  [permissionErrors.noBatch]: {
    ending: "refused",
    words: () => "There is no such batch.",
    hint: "See what there is: partner batch list",
  },
  [permissionErrors.redacted]: {
    ending: "refused",
    words: (said) => `The file of batch ${said} was redacted; nothing was decided.`,
    hint: (said) => `See what was decided before: partner batch show ${said}`,
  },
  [permissionErrors.withdrawn]: withdrawn,
  [permissionErrors.rejected]: rejected,
  [permissionErrors.tooMuch]: {
    ending: "refused",
    words: (said) => `Nothing was submitted: ${said}.`,
    hint: "Have them approved and run, or withdraw some: partner batch withdraw ID",
  },
  [permissionErrors.decided]: {
    ending: "refused",
    words: (said) => `The batch is ${said} already; nothing was withdrawn.`,
    hint: (said) =>
      said === "rejected"
        ? "See what there is: partner batch list"
        : "A checker stops an approved batch: partner batch reject ID --reason TEXT",
  },
  [permissionErrors.notOwn]: {
    ending: "setup",
    words: (said) => `Batch ${said} was submitted by another role; nothing was withdrawn.`,
    hint: (said) => `A checker rejects it: partner batch reject ${said} --reason TEXT`,
  },
  [permissionErrors.noDeputy]: {
    ending: "usage",
    words: (said) => `No deputy was named: ${said}.`,
    hint: "Name the database role of another person, and a day to come: partner approvals delegate --to USER --until DAY",
  },
  [permissionErrors.noCheckersWord]: alone,
  [permissionErrors.notOpen]: {
    ending: "usage",
    words: (said) => `The order ${said} is not an open row of a submitted batch; nothing was kept.`,
    hint: "See it: partner journal show KEY",
  },
  [permissionErrors.tooFew]: {
    ending: "usage",
    words: (said) => `The shared journal does not take this order: its batch is not approved (${said}).`,
    hint: "Have others approve it: partner batch approve ID",
  },
  [permissionErrors.counted]: {
    ending: "setup",
    words: (said) =>
      `This role, or one that it can become, has approved it already (${said}): each person counts once.`,
    hint: "Have another person look at it: partner batch approve ID",
  },
  [permissionErrors.overLimit]: {
    ending: "refused",
    words: (said) => `The rules do not allow it: ${said}.`,
    hint: "See the rules: partner approvals show",
  },
  [permissionErrors.beyondLevels]: {
    ending: "refused",
    words: (said) => `No level of the rules is for a batch of ${said}; nothing was decided.`,
    hint: "See the rules: partner approvals show",
  },
  [permissionErrors.unfulfillable]: {
    ending: "usage",
    words: (said) => `These rules cannot be fulfilled: ${said}. They were not set.`,
    hint: "Correct the file, or have the owner of the database give people their roles first: GRANT partner_checker_DATABASE TO …",
  },
  [permissionErrors.noRuleMaker]: {
    ending: "setup",
    words: (said) => `The role ${said} is neither a checker nor the owner; the rules stay as they are.`,
    hint: "Have two people set them who are: partner approvals set FILE",
  },
  [permissionErrors.otherKey]: {
    ending: "setup",
    words: (said) => `The key belongs to another role than ${said}; nothing was removed.`,
    hint: "Its owner removes it, or the owner of the database: partner approvals key remove",
  },
  [permissionErrors.takenReference]: {
    ending: "usage",
    words: (said) => `References in these lines belong to other orders already: ${said}. Nothing was submitted.`,
    hint: "See an order: partner journal show REFERENCE",
  },
};

/** The failure for a decision about a batch that can no longer change. */
export function withoutDecision(id: string, state: "rejected" | "withdrawn"): Failure {
  return failureOf(state === "rejected" ? rejected : withdrawn, id);
}

/** The failure for a decision of the maker's own. */
export function ofOwnBatch(submittedBy: string): Failure {
  return failureOf(ownBatch, submittedBy);
}

/** The failure for a row of an approved batch that only a runner calls refused. */
export function withoutCheckersWord(reference: string): Failure {
  return failureOf(alone, reference);
}

/** The failure for a rule of the shared journal's database that refused a change; undefined for every other error. */
export function permissionErrorOf(error: unknown): Failure | undefined {
  const denial = error instanceof PostgresError ? denied[error.code ?? ""] : undefined;
  if (denial === undefined || !(error instanceof PostgresError)) return undefined;
  return failureOf(denial, error.message, error);
}

function failureOf({ ending, words, hint, money, reason }: DeniedWords, said: string, cause?: Error): Failure {
  const shown = visible(said);
  return new Failure(ending, words(shown), {
    hint: typeof hint === "string" ? hint : hint(shown),
    money: money ?? "not moved",
    reason,
    cause,
  });
}
