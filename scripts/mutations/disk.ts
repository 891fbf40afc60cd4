import type { Mutation } from "./mutation.ts";

const database = "src/storage/postgres/database.ts";
const tests = ["test/journal/shared-turn.test.ts"] as const;

/** When a shared journal counts a commit, and what its server forgets, got wrong on purpose. */
export const diskMutations: readonly Mutation[] = [
  {
    name: "an order of a shared journal sent before the disk has it",
    edits: [{ file: database, text: "[{ text: commit.text }, ...waitForDisk]", instead: "[{ text: commit.text }]" }],
    tests,
    only: "goes on while",
  },
  {
    name: "hosts of a shared journal waiting for each other's disk",
    edits: [
      {
        file: database,
        text: "return this.#write(work, within, false);",
        instead: "return this.#write(work, within, true);",
      },
    ],
    tests,
    only: "goes on while",
  },
  {
    name: "a mark of what the disk does not have",
    edits: [
      {
        file: "src/journal/postgres/journal-view.ts",
        text: "if (isMarked) await database.waitForDisk();",
        instead: "if (isMarked && id === place) await database.waitForDisk();",
      },
    ],
    tests,
    only: "as far as the disk has it",
  },
  {
    name: "an order given up where the server no longer has its plan",
    edits: [
      {
        file: "src/host/databases/statement-names.ts",
        text: "if (code === undefined || !unknownStates.has(code)) return false;",
        instead: 'if (code !== "") return false;',
      },
    ],
    tests: ["test/journal/shared-names.test.ts"],
  },
];
