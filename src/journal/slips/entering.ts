import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import type { Journal } from "../journal.ts";
import type { FoundSlip, SlipFolder } from "./folder.ts";
import type { Slip } from "./slip.ts";
import { attemptHeard } from "./slip.ts";
import { nameSlip } from "./view.ts";

/** A slip, and its file. */
export interface KeptSlip {
  readonly path: string;
  readonly slip: Slip;
}

/** Warns a person. */
export type Warn = (line: string) => Promise<void> | void;

/**
 * Enters all slips of this journal, and reports each. One that can't be entered stays.
 * @returns those of orders that this journal does not know
 */
export async function enterSlips(journal: Journal, slips: SlipFolder, warn: Warn): Promise<KeptSlip[]> {
  const unknown: KeptSlip[] = [];
  for (const found of await slips.find()) {
    const { path, slip } = found;
    if (slip?.journal !== journal.id) await warn(wordsOfStrange(found));
    if (slip === undefined) continue;
    const isOwn = slip.journal === journal.id;
    if (!isOwn || !(await enterSlip(journal, { path, slip }, slips, warn))) unknown.push({ path, slip });
  }
  return unknown;
}

/** The same for a run that writes nothing: it only notes that outcomes are waiting. */
export async function noteSlips(journal: Journal, slips: SlipFolder, warn: Warn): Promise<KeptSlip[]> {
  const found = await slips.find();
  const [ours, unknown]: [KeptSlip[], KeptSlip[]] = [[], []];
  for (const one of found) {
    const { path, slip } = one;
    const isOwn = slip?.journal === journal.id;
    const isWaiting = isOwn && (await isKnown(journal, slip));
    if (slip !== undefined) (isWaiting ? ours : unknown).push({ path, slip });
    if (!isWaiting) await warn(isOwn ? wordsOfUnknown(slip, namePath(path)) : wordsOfStrange(one));
  }
  const [first] = ours;
  if (first === undefined) return unknown;
  const which =
    ours.length === 1
      ? `The outcome of the ${nameSlip(first.slip)} is in ${namePath(first.path)}`
      : `${counted(ours.length, "outcome")} are beside the journal, such as ${namePath(first.path)},`;
  await warn(
    `${which} and not in the journal yet. The next command that writes enters it: partner journal resolve --all`,
  );
  return unknown;
}

/** True as well where the journal cannot be read: it may know the order. */
async function isKnown(journal: Journal, { movement, sent }: Slip): Promise<boolean> {
  try {
    if (sent === undefined) return (await journal.read(movement)) !== undefined;
    return (await journal.claimOf(movement)) === sent.claim;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return true;
  }
}

/** @returns false for an order that the journal does not know */
async function enterSlip(journal: Journal, { path, slip }: KeptSlip, slips: SlipFolder, warn: Warn): Promise<boolean> {
  try {
    const { isDone, isUnknown, words } = await record(journal, slip, namePath(path));
    if (isDone) await slips.remove(path);
    await warn(words);
    return isUnknown !== true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await warn(`The outcome of the ${nameSlip(slip)} stays in ${namePath(path)}: ${error.message}`);
    return true;
  }
}

interface EnteredSlip {
  /** True where the journal has it, one way or the other. */
  readonly isDone: boolean;
  readonly isUnknown?: boolean | undefined;
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
    isUnknown: true,
    words: wordsOfUnknown(slip, name),
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

function wordsOfUnknown(slip: Slip, name: string): string {
  return `${name} has the outcome of an order that this journal does not know, the ${nameSlip(slip)}. It is left there: is this journal older than it was?`;
}

function wordsOfStrange(found: FoundSlip): string {
  const name = namePath(found.path);
  if (found.slip === undefined)
    return `${name} cannot be used as the outcome of an order: ${found.reason}. It is left there; look into it before you remove it.`;
  return `${name} has the outcome of the ${nameSlip(found.slip)} for another journal, which enters it when it is used.`;
}
