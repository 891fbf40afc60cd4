import type { ChunkingContext, CodeSplittingGroup } from "rolldown";

/**
 * One file for what each of some sources loads when it is loaded itself: to find ten files costs a start more than to
 * read one that is ten times as long. What they load of such files named before stays there.
 * @param name of the file
 * @param sources absolute paths
 */
export function loadedTogether(name: string, sources: readonly string[]): CodeSplittingGroup {
  let loaded: readonly ReadonlySet<string>[] | undefined;
  return {
    debugName: name,
    name(id, context) {
      loaded ??= sources.map((source) => loadedWith(source, context));
      return loaded.every((each) => each.has(id)) ? name : null;
    },
  };
}

/** The module and what it imports, near and far; what it imports while it runs is left out. */
function loadedWith(source: string, context: ChunkingContext): ReadonlySet<string> {
  const found = new Set([source]);
  for (const id of found) for (const next of context.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  if (found.size === 1) throw new Error(`${source} imports nothing, so nothing is loaded with it`);
  return found;
}
