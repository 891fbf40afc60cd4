import { command } from "../../cli/command.ts";
import { anyText, oneOf, option, optionalPositional, toggle } from "../../cli/input.ts";
import { statementSources } from "../../cli/money/statement-sources.ts";
import type { Session } from "../../cli/session.ts";
import { Inquiry } from "../../evidence/inquiry.ts";
import { namesOfAccount } from "../../journal/account-name.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { movementNouns } from "../../journal/movement.ts";
import { movementFailure, movementFields, movementRow } from "../../movements/movement-report.ts";
import { theMovement } from "../../movements/movement-search.ts";
import type { Resolved } from "../../movements/resolve.ts";
import { resolveByStatement } from "../../movements/resolve.ts";
import { Failure } from "../../values/failure.ts";

export default command({
  summary: "Find out what became of orders whose outcome is unknown or pending.",
  description:
    "It looks for them in the service's statements and decides only when one row carries the reference and did what was ordered. What a person knows from elsewhere is said with --as and --evidence and kept with name and time. An order that is refused in the end can be sent again under its reference.",
  examples: [
    "journal resolve --all",
    "journal resolve SAL-2026-40",
    'journal resolve SAL-2026-40 --as refused --evidence "support ticket 4711: never arrived"',
  ],
  args: { key: optionalPositional({ summary: "The order's id or its reference.", read: anyText }) },
  flags: {
    all: toggle({ summary: "Every order that is unknown or pending." }),
    as: option({
      value: "accepted|refused",
      summary: "What a person knows, with --evidence.",
      read: oneOf("accepted", "refused"),
    }),
    evidence: option({ value: "TEXT", summary: "How the person knows it.", read: anyText }),
  },
  exits: ["setup", "refused", "unknown"],
  async run({ args, flags }, session) {
    const { key } = args;
    if ((key === undefined) === !flags.all) throw whichOnes();
    if ((flags.as === undefined) !== (flags.evidence === undefined) || (flags.as !== undefined && key === undefined))
      throw saidHow();
    const journal = await session.journal("write");
    const asked = key === undefined ? await open(journal) : [await theMovement(journal, key)];
    const resolved: Resolved[] = [];
    if (flags.as === undefined || flags.evidence === undefined)
      resolved.push(...(await byStatement(asked, journal, session)));
    else for (const movement of asked) resolved.push(await byPerson(movement, flags.as, flags.evidence, journal));
    return {
      shape: "rows",
      columns: [
        ...movementFields.map((field) => ({ ...field, machineOnly: hidden.has(field.name) })),
        { name: "saw", kind: "text" },
      ],
      rows: resolved.map(({ movement, saw }) => ({ ...movementRow(movement), saw })),
      whenEmpty: "No order is unknown or pending.",
      mustShow: true,
      findings: () => ({ notes: [], carried: stillUnknown(resolved) }),
    };
  },
});

const hidden: ReadonlySet<string> = new Set(["requestId", "openedAt", "settledAt", "request", "response"]);

async function open(journal: Journal): Promise<Movement[]> {
  const found: Movement[] = [];
  for await (const movement of journal.list({ states: ["unknown", "pending"] })) found.push(movement);
  return found;
}

async function byStatement(asked: readonly Movement[], journal: Journal, session: Session): Promise<Resolved[]> {
  const { scope } = await statementSources(session);
  const names = namesOfAccount(scope, await journal.accounts());
  const own = asked.filter((movement) => names.includes(movement.scope));
  const inquiry = await Inquiry.into(own, await statementSources(session));
  const resolved: Resolved[] = [];
  for (const movement of asked)
    resolved.push(
      own.includes(movement)
        ? await resolveByStatement(movement, inquiry, journal)
        : {
            movement,
            saw: `It belongs to another account (${movement.scope}): name the profile that it was sent with.`,
          },
    );
  return resolved;
}

async function byPerson(
  movement: Movement,
  state: "accepted" | "refused",
  note: string,
  journal: Journal,
): Promise<Resolved> {
  const { outcome, movement: now } = await journal.resolve(movement.id, { state, evidence: "person", note });
  if (outcome === "contradicted")
    throw new Failure(
      "usage",
      `The ${movementNouns[now.kind]} ${now.reference} is ${now.state}, by stronger evidence (${now.evidence}).`,
      {
        hint: `The contradiction is kept in its history: partner journal show ${now.id}`,
        reference: now.reference,
      },
    );
  if (outcome === "in flight")
    throw new Failure("unavailable", `A process is at the ${movementNouns[now.kind]} ${now.reference} right now.`, {
      hint: "Wait for its outcome, then look again.",
      reference: now.reference,
    });
  return { movement: now, saw: `A person says: ${note}` };
}

function stillUnknown(resolved: readonly Resolved[]): Failure | undefined {
  const left = resolved.filter(({ movement }) => movement.state === "unknown");
  const [first] = left;
  if (first === undefined) return undefined;
  if (left.length === 1) return movementFailure(first.movement);
  return new Failure("unknown", `${left.length} of ${resolved.length} orders are still unknown.`, {
    hint: "Look again later, or say what you know: partner journal resolve KEY --as accepted|refused --evidence TEXT",
    money: "unknown",
  });
}

function whichOnes(): Failure {
  return new Failure("usage", "Which orders are meant is not said.", {
    hint: "Name one by its id or reference, or take all: partner journal resolve --all",
  });
}

function saidHow(): Failure {
  return new Failure("usage", "--as and --evidence go together, with one order.", {
    hint: 'For example: partner journal resolve KEY --as refused --evidence "support ticket 4711"',
  });
}
