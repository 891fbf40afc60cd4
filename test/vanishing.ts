import { rmSync } from "node:fs";
import type { Files } from "../src/host/files/files.ts";
import { nodeFiles } from "../src/host/files/node-files.ts";

/** Files of which those with such a name are removed by another process between a look at them and their reading. */
export function vanishing(name: RegExp): Files {
  const files = nodeFiles();
  return {
    ...files,
    async facts(path) {
      const facts = await files.facts(path);
      if (name.test(path)) rmSync(path, { force: true });
      return facts;
    },
  };
}
