import type { Plugin } from "rolldown";

const beyondAscii = /[^\p{ASCII}]/u;
/** Where an escape would say something else than the character does. */
const cannotBeEscaped = /\\[^\p{ASCII}]|String\.raw`[^`]*[^\p{ASCII}]/u;

/**
 * Writes every character beyond ASCII as an escape, in comments too: one of them makes Node hold a whole file as twice
 * its size, at each start. What rolldown has for it leaves templates, patterns and comments as they are.
 */
export function ascii(): Plugin {
  return {
    name: "ascii",
    // Last of all: rolldown prints what chunks were rendered to once more.
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk" || !beyondAscii.test(file.code)) continue;
        if (cannotBeEscaped.test(file.code))
          throw new Error(`${file.fileName} has a character that cannot be written as an escape`);
        file.code = escaped(file.code);
      }
    },
  };
}

function escaped(code: string): string {
  return code.replaceAll(/[^\p{ASCII}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeOf(character.charCodeAt(at))).join(""),
  );
}

function escapeOf(unit: number): string {
  return String.raw`\u${unit.toString(16).padStart(4, "0")}`;
}
