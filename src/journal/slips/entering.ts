import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import type { Journal } from "../journal.ts";
import type { FoundSlip, SlipFolder } from "./folder.ts";
import type { Slip } from "./slip.ts";
import { attemptHeard } from "./slip.ts";
import { nameSlip } from "./view.ts";

/** Warns a person. */
export type Warn = (line: string) => Promise<void> | void;

/** Enters all slips of this journal, and reports each. One that can't be entered stays. */
export async function enterSlips(journal: Journal, slips: SlipFolder, warn: Warn): Promise<void> {
  for (const found of await slips.find()) {
    const { path, slip } = found;
    if (slip?.journal === journal.id) await enterSlip(journal, { path, slip }, slips, warn);
    else await warn(wordsOfStrange(found));
  }
}

/** Says that outcomes wait, for a run that writes nothing. */
export async function noteSlips(journal: Journal, slips: SlipFolder, warn: Warn): Promise<void> {
  const found = await slips.find();
  for (const one of found) if (one.slip?.journal !== journal.id) await warn(wordsOfStrange(one));
  const ours = found.flatMap(({ slip, path }) => (slip?.journal === journal.id ? [{ slip, path }] : []));
  const [first] = ours;
  if (first === undefined) return;
  const which =
    ours.length === 1
      ? `The outcome of the ${nameSlip(first.slip)} is in ${namePath(first.path)}`
      : `${counted(ours.length, "outcome")} are beside the journal, such as ${namePath(first.path)},`;
  await warn(
    `${which} and not in the journal yet. The next command that writes enters it: partner journal resolve --all`,
  );
}

async function enterSlip(
  journal: Journal,
  { path, slip }: { readonly path: string; readonly slip: Slip },
  slips: SlipFolder,
  warn: Warn,
): Promise<void> {
  try {
    const { isDone, words } = await record(journal, slip, namePath(path));
    if (isDone) await slips.remove(path);
    await warn(words);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await warn(`The outcome of the ${nameSlip(slip)} stays in ${namePath(path)}: ${error.message}`);
  }
}

interface EnteredSlip {
  /** True where the journal has it, one way or the other. */
  readonly isDone: boolean;
  readonly words: string;
}

/** @throws {Failure} where the journal cannot be written */
async function record(journal: Journal, slip: Slip, name: string): Promise<EnteredSlip> {
  const { movement: id, sent, heard } = slip;
  const order = nameSlip(slip);
  const entered: EnteredSlip = {
    isDone: true,
    words: `The outcome of the ${order} is in the journal now; it was in ${name}.`,
  };
  const unknown: EnteredSlip = {
    isDone: false,
    words: `${name} has the outcome of an order that this journal does not know, the ${order}. It is left there: is this journal older than it was?`,
  };
  const lost = (state: string): EnteredSlip => ({
    isDone: true,
    words: `${name} said ${order}, and it is known to be ${state}. Its history has both: partner journal show ${id}`,
  });
  if (sent !== undefined) {
    const { outcome, movement } = await journal.enter({ ...sent, movement: id });
    if (outcome === "lost") return lost(movement.state);
    return outcome === "entered" ? entered : unknown;
  }
  const known = await journal.read(id);
  if (heard === undefined || known === undefined) return unknown;
  const { outcome, movement } = await journal.resolve({ id, attempt: attemptHeard(slip, known) }, heard);
  if (outcome === "contradicted" || outcome === "superseded") return lost(movement.state);
  if (outcome === "resolved" || outcome === "confirmed") return entered;
  return { isDone: false, words: `A process is working on the ${order}; what a callback said of it stays in ${name}.` };
}

function wordsOfStrange(found: FoundSlip): string {
  const name = namePath(found.path);
  if (found.slip === undefined)
    return `${name} cannot be used as the outcome of an order: ${found.trouble}. It is left there; look into it before you remove it.`;
  return `${name} has the outcome of the ${nameSlip(found.slip)} for another journal, which enters it when it is used.`;
}
