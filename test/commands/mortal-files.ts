import type { FileDraft, Files } from "../../src/host/files/files.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";

/** Files that fail at one of the operations that change something, and at every one after it, as after a kill. */
export interface MortalFiles extends Files {
  /** True once the operation count has passed the limit. */
  readonly isDead: boolean;
}

function die(): Promise<never> {
  return Promise.reject(Object.assign(new Error("killed"), { code: "EIO" }));
}

/** @param lastOperation how many operations succeed; the next one fails */
export function mortalFiles(lastOperation: number): MortalFiles {
  const files = nodeFiles();
  let done = 0;
  const isDead = () => done > lastOperation;
  const live = async <T>(act: () => Promise<T>): Promise<T> => {
    if (isDead()) return die();
    done += 1;
    return isDead() ? die() : act();
  };
  const mortal = (draft: FileDraft): FileDraft => ({
    write: (bytes) => live(() => draft.write(bytes)),
    // A killed process removes nothing.
    abandon: () => (isDead() ? Promise.resolve() : draft.abandon()),
    async commit() {
      await live(() => draft.commit());
      // The file is renamed, but the process is killed before it learns so.
      await live(() => Promise.resolve());
    },
  });
  return {
    ...files,
    draft: (path, mode) => live(async () => mortal(await files.draft(path, mode))),
    remove: (path) => (isDead() ? die() : files.remove(path)),
    get isDead() {
      return isDead();
    },
  };
}
