import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { whereabouts } from "./home.ts";
import type { JudgementGrounds, Look, JournalView } from "./judgement.ts";
import { judgeJournal } from "./judgement.ts";
import type { Adopt } from "./known-journals.ts";
import { changeJournals } from "./known-journals.ts";
import type { Mark } from "./marks.ts";
import { Marks } from "./marks.ts";
import type { Purpose } from "./purpose.ts";
import type { JournalPaths } from "../failures.ts";

/** Where and for what a journal is opened. */
export interface RegistrationPlace {
  readonly paths: JournalPaths;
  readonly use: Purpose;
  readonly look: Look;
  readonly adopt: Adopt;
  /** The account whose orders are to leave, as `accountScope` names it. */
  readonly account: string | undefined;
  /** True for a caller that checks `refusal` itself: then no warning repeats it. */
  readonly looksAtRefusal: boolean;
  readonly warn: (line: string) => Promise<void> | void;
}

/** What is found of a journal when it is opened. */
export interface FoundJournal {
  readonly marks: Marks;
  readonly grounds: JudgementGrounds;
  /** The mark that it begins with. */
  readonly mark: Mark;
}

export async function findJournal(
  host: Host,
  { paths, look }: RegistrationPlace,
  view: JournalView,
): Promise<FoundJournal> {
  const marks = new Marks(host, paths, view.id);
  const mark = await readMark(marks);
  const marked = mark instanceof Failure ? undefined : mark;
  const state = await view.look(marked?.number ?? 0, marked?.fact?.number);
  const where = await whereabouts(host, view.place);
  const { end, seen, server, fact } = state;
  const first = { ...end, seen, server, fact, epoch: await marks.epoch() };
  return {
    marks,
    grounds: { host, paths, ...where, mark, isMarkTouched: marks.isTouched, state, look },
    mark: marked === undefined ? first : { ...marked, server: server ?? marked.server, fact: fact ?? marked.fact },
  };
}

export function readMark(marks: Marks): Promise<Mark | Failure | undefined> {
  return marks.read().catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });
}

/** Writes the mark before the list of journals says that there is one. */
export async function begin({ marks, mark, grounds }: FoundJournal): Promise<void> {
  await marks.prepare(mark);
  if (JSON.stringify(mark) !== JSON.stringify(grounds.mark)) marks.keep(mark);
}

/** A mark that was touched is written again once the list says so: from then on it counts as untouched. */
export async function remember(host: Host, place: RegistrationPlace, view: JournalView, found: FoundJournal) {
  const { marks, grounds, mark } = found;
  const journals = await changeJournals(host, place.paths, place.adopt, async (known) => {
    // Another process may have been faster.
    const state = { ...grounds.state, seal: mark.seal, factSeal: mark.fact?.seal };
    const again = await judgeJournal(view, known, { ...grounds, mark, state });
    if (again.refusal !== undefined) throw again.refusal;
    return again.journals;
  });
  if (grounds.isMarkTouched) marks.keep(mark);
  return journals;
}
