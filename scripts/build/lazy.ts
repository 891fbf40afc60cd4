import type { Plugin } from "rolldown";

/** What TypeScript makes of an import: `const help_1 = require("./help");`, perhaps with an interop call around it. */
const requireLine = /^(?:const|var) (\w+_\d+) = ((?:__import(?:Default|Star)\()?require\("[^"]+"\)\)?);$/gm;

/** Of oclif 5.1, 40 files and more have such lines. */
const fewestDelayed = 30;

/**
 * Loads the parts of oclif when they are first used. Its files require each other at the top, so that one start of a
 * command would set up help, errors, spinners and templates as well: a tenth of a start, measured.
 */
export function lazyOclif(): Plugin {
  let delayed = 0;
  return {
    name: "lazy-oclif",
    transform: {
      filter: { id: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ },
      handler(code) {
        const lazy = delayRequires(code);
        if (lazy !== code) delayed += 1;
        return { code: lazy };
      },
    },
    buildEnd(error) {
      if (error === undefined && delayed < fewestDelayed)
        throw new Error(`Of oclif's files only ${delayed} require others as they did: lazy.ts no longer hits them.`);
    },
  };
}

/** Each required module becomes a function that requires it once; each use of its name a call of that function. */
export function delayRequires(code: string): string {
  const delayed = new Map<string, string>();
  const rest = code.replaceAll(requireLine, (_line, name: string, load: string) => {
    delayed.set(name, `let ${name}; const load_${name} = () => (${name} ??= ${load});`);
    return "";
  });
  if (delayed.size === 0) return code;
  const uses = new RegExp(`(?<![\\w.$])(${[...delayed.keys()].join("|")})(?![\\w$])`, "g");
  return ['"use strict";', ...delayed.values(), rest.replaceAll(uses, "(load_$1())")].join("\n");
}
