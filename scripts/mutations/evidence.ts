import type { Mutation } from "./mutation.ts";

/** What a statement proves, read too kindly. */
export const evidenceMutations: readonly Mutation[] = [
  {
    name: "an order resolved by a row with another amount",
    edits: [
      {
        file: "src/evidence/tie.ts",
        text: "else if (!amounts.some((amount) => amount.equals(change.abs())))",
        instead: "else if (amounts.length === 0)",
      },
    ],
    tests: ["test/movements/evidence.test.ts"],
    only: "stays unknown",
  },
  {
    name: "an order resolved by one of several rows",
    edits: [
      {
        file: "src/evidence/judge.ts",
        text: "return free.length === 1 ? free[0] : undefined;",
        instead: "return free[0];",
      },
    ],
    tests: ["test/movements/evidence.test.ts"],
    only: "stays unknown",
  },
  {
    name: "an outcome that looks like another order's",
    edits: [
      {
        file: "src/evidence/rows/row-owners.ts",
        text: "if (other !== undefined) return `is that of ${nameOrder(other.order)}`;",
        instead: "void other;",
      },
    ],
    tests: ["test/movements/evidence-orders.test.ts"],
  },
];
