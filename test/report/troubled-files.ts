import type { FileDraft, Files, Spool } from "../../src/host/files/files.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";

/** The step at which the file system fails, with one of Node's error codes. */
export interface Trouble {
  readonly facts?: string;
  readonly draft?: string;
  readonly write?: string;
  readonly commit?: string;
  readonly spool?: string;
}

/** The machine's files, with one step failing as on a full or broken disk. */
export function troubledFiles(trouble: Trouble): Files {
  const files = nodeFiles();
  return {
    ...files,
    facts: (path) => step(trouble.facts, () => files.facts(path)),
    draft: (path, mode) => step(trouble.draft, async () => troubledDraft(await files.draft(path, mode))),
    spool: (memoryMaxBytes) => troubledSpool(files.spool(memoryMaxBytes)),
  };

  function troubledDraft(draft: FileDraft): FileDraft {
    return {
      write: (bytes) => step(trouble.write, () => draft.write(bytes)),
      commit: () => step(trouble.commit, () => draft.commit()),
      abandon: () => draft.abandon(),
    };
  }

  function troubledSpool(spool: Spool): Spool {
    return {
      sizeBytes: 0,
      write: (bytes) => step(trouble.spool, () => spool.write(bytes)),
      flush: () => spool.flush(),
      chunks: () => spool.chunks(),
      discard: () => spool.discard(),
    };
  }
}

async function step<T>(code: string | undefined, act: () => Promise<T>): Promise<T> {
  if (code !== undefined) throw Object.assign(new Error(`${code}: made up`), { code });
  return act();
}
