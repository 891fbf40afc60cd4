import { command } from "../../app/command.ts";
import { anyText, oneOf, option, optionalPositional, toggle } from "../../cli/line/input.ts";
import { inquiryOf, isCheckerAlone, withRefusals } from "../../app/journal/checkers-word.ts";
import { statementSources, statusSource } from "../../app/money/checks/statement-sources.ts";
import type { Session } from "../../app/session.ts";
import { Inquiry } from "../../evidence/inquiry.ts";
import { keepName, namesOfAccount } from "../../journal/account-name.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { noCheckersWord } from "../../journal/postgres/approvals/words.ts";
import { movementFields, movementRow } from "../../movements/movement-report.ts";
import { theDecidedMovement, theMovement } from "../../movements/movement-search.ts";
import type { PersonWord } from "../../movements/resolve/person-word.ts";
import { resolveByPerson } from "../../movements/resolve/person-word.ts";
import { openEnding } from "../../movements/resolve/ending.ts";
import { seenCurrencies } from "../../app/seen/wallets.ts";
import { resolvedSentence } from "../../movements/resolve/words.ts";
import type { Resolved } from "../../movements/resolve/resolve.ts";
import { notLookedUp, resolveByStatus } from "../../movements/resolve/resolve.ts";
import type { Findings, Report } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import { shellWord } from "../../values/text/command-words.ts";
import { counted } from "../../values/text/counted.ts";

export default command({
  summary: "Find out what became of orders whose outcome is unknown or pending.",
  description:
    "It reads the statements from the day before each order up to today. A row decides when wallet, side, amount and date are the order's. It must also carry the reference, an id of the answer, or the narration as sent. It must be the only such row, and no other order's. If the payment was reversed, so is the order. Any other row is shown and decides nothing. With --as and --evidence you say what you know from elsewhere. It is kept with your name and the time. Before --as refused the statement is read, because a refused order can be sent again. A row of an approved batch is refused only when a checker runs the same command, which needs no credentials.",
  examples: [
    "journal resolve --all",
    "journal resolve SAL-2026-40",
    'journal resolve SAL-2026-40 --as refused --evidence "support ticket 4711: never arrived"',
  ],
  args: { key: optionalPositional({ summary: "The order's reference, its id, or how the id begins.", read: anyText }) },
  flags: {
    all: toggle({ summary: "Every order of this account that is unknown or pending." }),
    as: option({
      value: "accepted|refused",
      summary: "What a person knows, with --evidence.",
      read: oneOf("accepted", "refused"),
    }),
    evidence: option({ value: "TEXT", summary: "How the person knows it.", read: anyText }),
    againstStatement: toggle({ summary: "Take --as refused although the statement contradicts it." }),
    unchecked: toggle({ summary: "Take --as refused although the statement cannot be read." }),
  },
  exits: ["setup", "refused", "unavailable", "unknown", "pending"],
  async run({ args, flags }, session) {
    const { key } = args;
    if ((key === undefined) === !flags.all) throw whichOnes();
    const word = wordIn(key, flags);
    if (word?.state === "refused" && key !== undefined && (await isCheckerAlone(session)))
      return reportOf([await bySecondPerson(key, word, session)], { notes: [] }, session);
    const journal = await session.journal("write");
    const scope = key === undefined ? await session.accountScope() : undefined;
    const named = word === undefined ? theMovement : theDecidedMovement;
    const asked = key === undefined ? await open(journal, scope) : [await named(journal, key)];
    await keepOwnName(journal, session);
    const resolved =
      word === undefined ? await byStatement(asked, journal, session) : await byPerson(asked, word, journal, session);
    const ending = key === undefined ? openEnding(resolved, session.host.clock.now()) : resolved[0]?.ending;
    const notes = key === undefined ? await notesOfOthers(asked, journal, session) : [];
    return reportOf(resolved, { notes, carried: ending }, session);
  },
});

const hidden: ReadonlySet<string> = new Set(["requestId", "openedAt", "settledAt", "request", "response"]);

/** Sentences for a person at a terminal, a row for each order elsewhere. */
function reportOf(resolved: readonly Resolved[], found: Findings, session: Session): Report {
  const findings = () => found;
  if (session.showsPerson && resolved.length > 0)
    return { shape: "file", isProse: true, content: linesOf(resolved, session), findings };
  return {
    shape: "rows",
    columns: [
      ...movementFields.map((field) => ({ ...field, machineOnly: hidden.has(field.name) })),
      { name: "saw", kind: "text", role: "what", whole: true },
    ],
    rows: resolved.map(({ movement, saw }) => ({ ...movementRow(movement), saw })),
    whenEmpty: "No order of this account is unknown or pending.",
    mustShow: true,
    findings,
  };
}

async function* linesOf(resolved: readonly Resolved[], { host, profileFlag }: Session): AsyncGenerator<string> {
  const currencyOf = await seenCurrencies(host);
  for (const each of resolved) yield `${resolvedSentence(each, currencyOf, profileFlag)}\n`;
}

async function open(journal: Journal, scope: string | undefined): Promise<Movement[]> {
  const found: Movement[] = [];
  for await (const movement of journal.list({ scope, states: ["unknown", "pending"] })) found.push(movement);
  return found;
}

/** What is open of other accounts, a line for each profile that can ask. */
async function notesOfOthers(own: readonly Movement[], journal: Journal, session: Session): Promise<string[]> {
  const { owner } = await session.account();
  const ids = new Set(own.map(({ id }) => id));
  const counts = new Map<string | null, number>();
  for (const { id, profile } of await open(journal, undefined))
    if (!ids.has(id)) counts.set(profile, (counts.get(profile) ?? 0) + 1);
  return [...counts].map(([profile, count]) => {
    const open = `${counted(count, "order")} of another account ${count === 1 ? "is" : "are"} unknown or pending`;
    if (profile === null) return `${open}: ask with that account.`;
    return profile === owner
      ? `${open}. Profile ${profile} leads to another account here. Ask with one that leads to theirs: --profile NAME`
      : `${open}: partner -p ${shellWord(profile)} journal resolve --all`;
  });
}

/** Records the account's name where an account is configured: a person's word needs none. */
async function keepOwnName(journal: Journal, session: Session): Promise<void> {
  const scope = await session.accountScope().catch(() => undefined);
  if (scope !== undefined) await keepName(journal, scope, await journal.accounts());
}

async function byStatement(asked: readonly Movement[], journal: Journal, session: Session): Promise<Resolved[]> {
  const sources = await statementSources(session);
  const names = namesOfAccount(sources.scope, await journal.accounts());
  const own = new Set(asked.filter(({ scope }) => names.includes(scope)));
  const inquiry = await Inquiry.into([...own], sources);
  const status = await statusSource(session);
  const { owner } = await session.account();
  const resolved: Resolved[] = [];
  for (const movement of asked)
    resolved.push(
      own.has(movement) ? await resolveByStatus(movement, inquiry, journal, status) : notLookedUp(movement, owner),
    );
  return resolved;
}

async function byPerson(
  asked: readonly Movement[],
  word: PersonWord,
  journal: Journal,
  session: Session,
): Promise<Resolved[]> {
  const inquire = inquiryOf(journal, session);
  const resolved: Resolved[] = [];
  for (const movement of asked)
    try {
      if (word.state === "refused" && movement.batch !== null)
        await withRefusals(session, (refusals) => refusals.demandCheckersWord(movement));
      resolved.push(await resolveByPerson(movement, word, journal, inquire));
    } catch (error) {
      // The word counts as soon as a checker says the same.
      if (error instanceof Failure && error.reason === noCheckersWord)
        await withRefusals(session, (refusals) => refusals.say(movement.id, word.evidence));
      throw error;
    }
  return resolved;
}

/** A checker's word about a row of an approved batch: it needs no credentials, and no right to write orders. */
async function bySecondPerson(key: string, { evidence }: PersonWord, session: Session): Promise<Resolved> {
  const movement = await theDecidedMovement(await session.journal("read"), key);
  await withRefusals(session, (refusals) => refusals.say(movement.id, evidence));
  const saw =
    "Your word is kept. It counts once the runner says the same, and the runner's next command enters it: partner journal resolve, or batch run --approved ID.";
  return { movement, saw, ending: undefined };
}

interface WordFlags {
  readonly as?: "accepted" | "refused" | undefined;
  readonly evidence?: string | undefined;
  readonly againstStatement: boolean;
  readonly unchecked: boolean;
}

/** @throws {Failure} usage: with an example that keeps what was typed, as another word could have an order paid twice */
function wordIn(key: string | undefined, flags: WordFlags): PersonWord | undefined {
  const { as, evidence, againstStatement, unchecked } = flags;
  const overruling = againstStatement ? "--against-statement" : unchecked ? "--unchecked" : undefined;
  if (as === undefined && evidence === undefined && overruling === undefined) return undefined;
  if (key === undefined)
    throw saidWrongly("--as and --evidence are about one order.", "Name one order in place of --all.");
  if (as === "accepted" && overruling !== undefined)
    throw saidWrongly(`${overruling} goes with --as refused.`, "Leave it out: no statement is read for accepted.");
  if (as === undefined && evidence !== undefined)
    throw saidWrongly(
      "--evidence needs --as.",
      "Say what you know: --as accepted (it was paid) or --as refused (it was not).",
    );
  if (as !== undefined && evidence !== undefined) return { state: as, evidence, againstStatement, unchecked };
  const example = `partner journal resolve ${shellWord(key)} --as ${as ?? "refused"} --evidence "support ticket 4711"`;
  throw saidWrongly(
    as === undefined
      ? `${overruling} goes with --as refused and --evidence.`
      : "--as needs --evidence: how you know it.",
    `For example: ${example}${overruling === undefined ? "" : ` ${overruling}`}`,
  );
}

function saidWrongly(message: string, hint: string): Failure {
  return new Failure("usage", message, { hint });
}

function whichOnes(): Failure {
  return new Failure("usage", "Name the orders to resolve.", {
    hint: "Give one id or reference, or take all: partner journal resolve --all",
  });
}
