import type { Needle } from "./needle.ts";
import { folded, withoutSuffix } from "./needle.ts";
import type { Trace, TraceSource } from "./trace.ts";

/** An order leads to its row, that to its fee, and a row to what took it back: more steps are of another payment. */
const stepsMaxCount = 4;
/** What is found beyond is too much to read. */
export const tracesMaxCount = 10_000;
/** A shorter word, or one without a digit, stands in narrations by chance. */
const namedIdMinChars = 3;

/** What stands by itself: nothing of it is cut off, or INV-7 would be found in INV-7/2. */
const word = /[\p{L}\p{N}_/-]+/gu;
const backBefore = /^(?:reversal|rvsl|rev)[-_/]*/;
const backAfter = /[-_/]*(?:reversal|rvsl|rev)$/;

/** What was found, and whether there is more of it than can be shown. */
export interface Gathered {
  readonly traces: readonly Trace[];
  readonly isCut: boolean;
}

/** What the needle meets, and everything that belongs to it, step by step. */
export async function gather(sources: readonly TraceSource[], needle: Needle): Promise<Gathered> {
  const found = new Map<string, Trace>();
  const ids = new Set<string>();
  const named = new Set<string>();
  const belongs = (trace: Trace) =>
    idsOf(trace).some((id) => ids.has(id) || (isTelling(id) && named.has(id))) ||
    (trace.order === undefined && namesIn(trace).some((id) => isTelling(id) && ids.has(id)));
  for (let step = 0; step <= stepsMaxCount; step += 1) {
    const met: Trace[] = [];
    for (const source of sources)
      for await (const trace of source.traces()) {
        if (found.has(keyOf(trace)) || !(step === 0 ? needle.meets(trace) : belongs(trace))) continue;
        if (found.size + met.length >= tracesMaxCount) return { traces: [...found.values(), ...met], isCut: true };
        met.push(trace);
      }
    if (met.length === 0) break;
    for (const trace of met) {
      found.set(keyOf(trace), trace);
      for (const id of idsOf(trace)) ids.add(id);
      if (trace.order === undefined) for (const id of namesIn(trace)) named.add(id);
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
  const own = new Set(idsOf(other).filter(isTelling));
  return own.size > 0 && namesIn(trace).some((id) => own.has(id));
}

/** The words of a row that can be another one's reference, and those that say in one word that they take it back. */
function namesIn({ words, ids }: Trace): readonly string[] {
  const tokens = folded(words).match(word) ?? [];
  return [...tokens, ...ids.map(folded)].flatMap((token) => {
    const bare = token.replace(backBefore, "").replace(backAfter, "");
    return bare === token ? [token] : [token, bare];
  });
}

function keyOf({ source, key }: Trace): string {
  return `${source} ${key}`;
}

function isTelling(id: string): boolean {
  return id.length >= namedIdMinChars && /\d/.test(id);
}
