import type { Mutation } from "./mutation.ts";

const decision = "src/movements/resolve/statement-decision.ts";

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
  {
    name: "held back: a refused order sent again although a row shows it paid, or paid and reversed",
    edits: [
      {
        file: decision,
        text: 'if (outcome === "contradicted") await holdBack(now, result, inquiry, journal);',
        instead: "",
      },
    ],
    tests: ["test/movements/refused-but-paid.test.ts", "test/commands/approvals-refused.test.ts"],
    only: "not sent again by any",
  },
  {
    name: "held back: a refused order sent again although its payment was seen, and reversed",
    edits: [
      {
        file: decision,
        text: 'if (result.kind === "proved" || result.kind === "reversed") return [result.row];',
        instead: 'if (result.kind === "proved") return [result.row];',
      },
    ],
    tests: ["test/movements/refused-but-paid.test.ts"],
    only: "its payment and the return",
  },
  {
    name: "held back: a refused order sent again although several rows fit",
    edits: [
      {
        file: decision,
        text: "if (decision === undefined && mayClaim(movement)) await holdBack(movement, result, inquiry, journal);",
        instead: "",
      },
    ],
    tests: ["test/movements/refused-but-paid.test.ts"],
    only: "two payments that fit",
  },
  {
    name: "held back: a refused order called safe to repeat beside rows that fit",
    edits: [
      {
        file: "src/movements/resolve/words.ts",
        text: "isDoubtful === true && mayClaim(movement)",
        instead: "isDoubtful === undefined && mayClaim(movement)",
      },
    ],
    tests: ["test/movements/refused-but-paid.test.ts"],
    only: "two payments that fit",
  },
];
