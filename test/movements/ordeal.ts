import type { Movement } from "../../src/journal/movement.ts";
import type { Run } from "../partner.ts";
import type { Books } from "./books.ts";
import type { Kind } from "./kinds.ts";
import { objectIn } from "./kinds.ts";
import type { Harm, Place } from "./harmed-run.ts";
import { describeHarm, openPlace, runHarmed } from "./harmed-run.ts";

/** The journal's state of an order. */
type Word = Movement["state"] | "nothing";

/** What became of an order whose run was harmed. */
export interface Endured {
  /** Of the last harmed run. */
  readonly exit: number;
  /** The journal's state before the order was repeated. */
  readonly word: Word;
  /** Whether the request of a harmed run reached the service. */
  readonly sent: boolean;
  /** What is wrong, each with its case. */
  readonly untruths: readonly string[];
}

/** Exit codes of a run whose request reached the service, and of one whose request certainly did not. */
const sentExits: ReadonlySet<number> = new Set([0, 6]);
const unsentExits: ReadonlySet<number> = new Set([3, 5]);
const killedExit = 137;
/** How the same command ends on a healthy machine, by the journal's state; an unsent order is sent then. */
const exitsAgain: Readonly<Partial<Record<Word, number>>> = { accepted: 0, pending: 0, unknown: 6 };

/** A write that always fails is tried again for as long as a request may take: 90 s by default. */
const patience = "--timeout 8s";

/** Each case is an order of its own: a harmed run, and a harmed repetition for each further harm. */
export async function endure(
  kind: Kind,
  cases: readonly (readonly [Harm, ...Harm[]])[],
  books: Books,
): Promise<readonly Endured[]> {
  const endured: Endured[] = [];
  for (const [index, harms] of cases.entries()) endured.push(await endureOne(kind, harms, `R-${1000 + index}`, books));
  return endured;
}

/** After the harm the same command is run twice more on a healthy machine. */
async function endureOne(
  kind: Kind,
  harms: readonly [Harm, ...Harm[]],
  reference: string,
  books: Books,
): Promise<Endured> {
  const place = openPlace(books.environment);
  if (harms.some(({ lasts }) => lasts === true)) place.flags = patience;
  const before = books.arrived();
  const line = kind.line(reference);
  let run = await runHarmed(line, place, harms[0]);
  for (const harm of harms.slice(1)) run = await runHarmed(line, place, harm);
  const arrived = books.arrived() - before;
  const word = await wordOf(kind, reference, place);
  const untruths = untruthsOf(run, word, books);
  if (harms.every(({ hit }) => hit !== "KILL")) untruths.push(...untruthsOfWhole(run, word, arrived, harms[0]));

  const isOver = word in exitsAgain;
  const [exit, told] = isOver ? [exitsAgain[word], word] : [0, kind.state];
  for (const time of ["once", "twice"]) {
    const again = await place.run(line);
    if (again.exit !== exit) untruths.push(`repeated ${time} it ends with ${again.exit}: ${again.stderr}`);
    untruths.push(...untruthsOf(again, told, books).map((untruth) => `repeated ${time}: ${untruth}`));
  }
  const last = await wordOf(kind, reference, place);
  if (last !== told) untruths.push(`in the end the journal says ${last}`);
  const [requests, moved] = [books.arrived() - before, await books.moved(kind, reference)];
  if (moved !== requests) untruths.push(`${requests} requests moved money ${moved} times`);
  if (requests > 1 || (requests === 0 && word !== "unknown")) untruths.push(`${requests} requests were sent`);
  const where = `${kind.kind}, ${harms.map(describeHarm).join(", then ")}: exit ${run.exit}, the journal says ${word}`;
  return {
    exit: run.exit,
    word,
    sent: isOver && requests === 1,
    untruths: untruths.map((untruth) => `${where}: ${untruth}`),
  };
}

/** What is untrue in any run. */
function untruthsOf({ exit, stdout, stderr }: Run, word: Word, { secrets }: Books): string[] {
  const told = stdout === "" ? word : objectIn(stdout)["state"];
  const isDocumented = sentExits.has(exit) || unsentExits.has(exit) || exit === killedExit;
  return sentencesOf([
    [!isDocumented, `it ended in a way that is not documented: ${stderr}`],
    [exit === 0 && word !== "accepted" && word !== "pending", "it ended well"],
    [told !== word, `it says ${JSON.stringify(told)}`],
    [secrets.some((secret) => (stdout + stderr).includes(secret)), "a secret was printed"],
  ]);
}

/** What is untrue in a run that was not killed. A disk that stays broken cannot take `sending` back. */
function untruthsOfWhole({ exit, stderr }: Run, word: Word, arrived: number, { lasts }: Harm): string[] {
  const isUnknown = word in exitsAgain && !(lasts === true && word === "unknown");
  return sentencesOf([
    [arrived === 0 && sentExits.has(exit), `nothing was sent: ${stderr}`],
    [arrived > 0 && unsentExits.has(exit), `${arrived} requests were sent: ${stderr}`],
    [unsentExits.has(exit) && isUnknown, "it said that nothing was sent"],
  ]);
}

function sentencesOf(untruths: readonly (readonly [boolean, string])[]): string[] {
  return untruths.flatMap(([isSo, sentence]) => (isSo ? [sentence] : []));
}

async function wordOf(kind: Kind, reference: string, place: Place): Promise<Word> {
  const movements = await place.movements();
  return movements.find((one) => one.kind === kind.kind && one.reference === reference)?.state ?? "nothing";
}
