import { looksLikeReference, namesIn, withoutSuffix } from "../ledger/terms/names.ts";
import type { Sought } from "../ledger/terms/term.ts";
import { termOf } from "../ledger/terms/term.ts";
import { folded } from "../values/text/folded.ts";
import type { TextHints } from "../values/text/text-hints.ts";
import { allHints, piecesOf } from "../values/text/text-hints.ts";
import type { Needle } from "./needle.ts";
import type { Trace, TraceSource } from "./trace.ts";

/**
 * An order leads to its row, that to its fee, and a row to its reversal: more steps would lead to other payments.
 */
const stepsMaxCount = 4;
/** More traces would be too many to read. */
export const tracesMaxCount = 10_000;
/** The traces, and whether there were too many. */
export interface Gathered {
  readonly traces: readonly Trace[];
  readonly isCut: boolean;
}

/** Finds what the needle matches, and everything that belongs to it, step by step. */
export async function gather(sources: readonly TraceSource[], needle: Needle): Promise<Gathered> {
  const found = new Map<string, Trace>();
  const known = new Belonging();
  let { sought, hints } = needle;
  for (let step = 0; step <= stepsMaxCount && sought.length > 0; step += 1) {
    const met: Trace[] = [];
    for (const source of sources) {
      const isKnown = (key: string) => found.has(keyOf(source.of, key));
      for await (const trace of source.traces(sought, isKnown, hints)) {
        if (isKnown(trace.key) || !(step === 0 ? needle.meets(trace) : known.holds(trace))) continue;
        if (found.size + met.length >= tracesMaxCount) return { traces: [...found.values(), ...met], isCut: true };
        met.push(trace);
      }
    }
    for (const trace of met) found.set(keyOf(trace.source, trace.key), trace);
    ({ sought, hints } = known.add(met));
  }
  return { traces: [...found.values()], isCut: false };
}

/** The ids of the traces so far, and those that rows and webhooks name. */
class Belonging {
  readonly #ids = new Set<string>();
  readonly #named = new Set<string>();

  holds(trace: Trace): boolean {
    return (
      idsOf(trace).some((id) => this.#ids.has(id) || (looksLikeReference(id) && this.#named.has(id))) ||
      (trace.order === undefined && namesOf(trace).some((id) => looksLikeReference(id) && this.#ids.has(id)))
    );
  }

  /** @returns terms and hints for what belongs to these traces, but not to earlier ones */
  add(traces: readonly Trace[]): { readonly sought: Sought; readonly hints: TextHints | undefined } {
    const sought: Sought[number][] = [];
    const texts = new Set<string>();
    for (const trace of traces) {
      for (const id of idsOf(trace)) {
        if (this.#ids.has(id)) continue;
        this.#ids.add(id);
        texts.add(id);
        sought.push([termOf("id", id)]);
        if (looksLikeReference(id)) sought.push([termOf("word", id)]);
      }
      if (trace.order !== undefined) continue;
      for (const name of namesOf(trace)) {
        if (this.#named.has(name)) continue;
        this.#named.add(name);
        if (!looksLikeReference(name)) continue;
        texts.add(name);
        sought.push([termOf("id", name)]);
      }
    }
    return { sought, hints: allHints([...texts].map((text) => piecesOf(text))) };
  }
}

/** A trace's references and ids, folded; a fee counts under the reference of what it is for. */
export function idsOf({ ids }: Trace): readonly string[] {
  return ids.filter((id) => id !== "").map((id) => withoutSuffix(folded(id)));
}

/** The words and ids of a trace that may name another one's reference, reversals' prefixes and suffixes removed. */
export function namesOf({ words, ids }: Trace): readonly string[] {
  return namesIn(words, ids);
}

function keyOf(source: Trace["source"], key: string): string {
  return `${source} ${key}`;
}
