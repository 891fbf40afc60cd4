import { names } from "../evidence/tie.ts";
import type { Needle } from "./needle.ts";
import { folded, withoutSuffix } from "./needle.ts";
import type { Trace, TraceSource } from "./trace.ts";

/** An order leads to its row, that to its fee, and a row to what took it back: more steps are of another payment. */
const stepsMaxCount = 4;
/** What is found beyond is too much to read. */
export const tracesMaxCount = 10_000;
/** A shorter word, or one without a digit, stands in narrations by chance. */
const namedIdMinChars = 3;

/** What was found, and whether there is more of it than can be shown. */
export interface Gathered {
  readonly traces: readonly Trace[];
  readonly isCut: boolean;
}

/** What the needle meets, and everything that belongs to it, step by step. */
export async function gather(sources: readonly TraceSource[], needle: Needle): Promise<Gathered> {
  const found = new Map<string, Trace>();
  const ids = new Set<string>();
  for (let step = 0; step <= stepsMaxCount; step += 1) {
    const met: Trace[] = [];
    for (const source of sources)
      for await (const trace of source.traces()) {
        const key = keyOf(trace);
        if (found.has(key)) continue;
        const isMeant = step === 0 ? needle.meets(trace) : belongs(trace, ids) || isNamed(trace, found.values());
        if (!isMeant) continue;
        if (found.size + met.length >= tracesMaxCount) return { traces: [...found.values(), ...met], isCut: true };
        met.push(trace);
      }
    if (met.length === 0) break;
    for (const trace of met) {
      found.set(keyOf(trace), trace);
      for (const id of idsOf(trace)) ids.add(id);
    }
  }
  return { traces: [...found.values()], isCut: false };
}

/** Its references and ids as they count: a fee is of what it is for. */
export function idsOf({ ids }: Trace): readonly string[] {
  return ids.filter((id) => id !== "").map((id) => withoutSuffix(folded(id)));
}

/** True where the trace's words name an id of the other as a word of its own. */
export function namesOther(trace: Trace, other: Trace): boolean {
  const words = folded(trace.words);
  return idsOf(other).some((id) => isTelling(id) && names(words, id));
}

function keyOf({ source, key }: Trace): string {
  return `${source} ${key}`;
}

function belongs(trace: Trace, ids: ReadonlySet<string>): boolean {
  return idsOf(trace).some((id) => ids.has(id));
}

/** Rows that name what was found; what a row names by itself is found by its ids. */
function isNamed(trace: Trace, found: Iterable<Trace>): boolean {
  if (trace.order !== undefined) return false;
  for (const other of found) if (namesOther(trace, other)) return true;
  return false;
}

function isTelling(id: string): boolean {
  return id.length >= namedIdMinChars && /\d/.test(id);
}
