import { rmSync } from "node:fs";
import type { Files } from "../src/host/files/files.ts";
import { nodeFiles } from "../src/host/files/node-files.ts";

/**
 * Files of which those with such a name are removed by another process between a look at them and their reading.
 * @param look the number of that look, 1 for the first; `looks` counts them
 */
export function vanishing(name: RegExp, look = 1): Files & { readonly looks: () => number } {
  const files = nodeFiles();
  let looks = 0;
  const remove = (path: string) => {
    if (name.test(path) && ++looks >= look) rmSync(path, { force: true });
  };
  return {
    ...files,
    looks: () => looks,
    async facts(path) {
      const facts = await files.facts(path);
      remove(path);
      return facts;
    },
    async isSame(one, other) {
      const isSame = await files.isSame(one, other);
      remove(one);
      return isSame;
    },
  };
}
