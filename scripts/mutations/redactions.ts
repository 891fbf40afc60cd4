import type { Mutation } from "./mutation.ts";

/** Mistakes that leave a person in a redacted batch, or its decisions without a proof. */
export const redactionMutations: readonly Mutation[] = [
  {
    name: "redacted: an order whose submitted batch stays as it is",
    edits: [
      {
        file: "src/journal/postgres/changes.ts",
        text: ' || whole.has(stored.row.batch ?? "")',
        instead: "",
      },
    ],
    tests: ["test/commands/four-eyes-redact-twins.test.ts"],
    only: "while a decision is not yet in the history",
  },
  {
    name: "redacted: a row of a batch that keeps the hash which its order lost",
    edits: [
      {
        file: "src/journal/postgres/changes.ts",
        text: "writes.write(transaction, rows);",
        instead: "writes.write(transaction);",
      },
    ],
    tests: ["test/commands/four-eyes-redact.test.ts"],
    only: "leaves no person in any table",
  },
  {
    name: "redacted: a batch of which history does not say so",
    edits: [
      {
        file: "src/journal/postgres/chain/verify-facts.ts",
        text: "await read(otherRedaction, [])",
        instead: "[].slice(otherRedaction.length)",
      },
    ],
    tests: ["test/commands/four-eyes-redact.test.ts"],
    only: "other words put in",
  },
  {
    name: "redacted: the receiver's number that was said of all rows",
    edits: [
      {
        file: "src/journal/postgres/chain/redact-batch.ts",
        text: '"kind", "delimiter"',
        instead: '"kind", "constants", "delimiter"',
      },
    ],
    tests: ["test/commands/four-eyes-redact.test.ts"],
    only: "values given for all rows",
  },
];
