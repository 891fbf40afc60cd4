import type { Plugin } from "rolldown";

const getter =
  /^Object\.defineProperty\(exports, "(\w+)", \{\n\tenumerable: true,\n\tget: function\(\) \{\n\t\treturn (\w+);\n\t\}\n\}\);$/gm;

/** A build has 300 files, and more than half of them export with getters. */
const fewestFiles = 100;

/**
 * Exports values where rolldown exports getters, which a start would make 356 times for nothing: they are for names
 * that are assigned later, and the build fails where one of ours is.
 */
export function plainExports(): Plugin {
  return {
    name: "plain-exports",
    generateBundle(_options, bundle) {
      let changed = 0;
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk") continue;
        const plain = withPlainExports(file.code);
        if (plain !== file.code) changed += 1;
        file.code = plain;
      }
      if (changed < fewestFiles)
        throw new Error(`Only ${changed} files export with getters: plain-exports.ts no longer hits them.`);
    },
  };
}

/** @throws {Error} where an exported name may be assigned after its declaration */
export function withPlainExports(code: string): string {
  return code.replaceAll(getter, (_line, name: string, own: string) => {
    const isConstant = new RegExp(`^(?:const ${own} =|(?:async )?function\\*? ${own}\\()`, "m").test(code);
    // Classes, and parts of packages in CommonJS.
    const isOnce = new RegExp(`^var ${own} =`, "m").test(code) && code.split(` ${own} = `).length === 2;
    if (!isConstant && !isOnce) throw new Error(`${own} is exported, and may be assigned later.`);
    return `exports.${name} = ${own};`;
  });
}
