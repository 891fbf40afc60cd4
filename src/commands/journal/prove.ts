import { command } from "../../app/command.ts";
import { proofOf } from "../../app/journal/proof.ts";
import { neededText, option, positional } from "../../cli/line/input.ts";
import { theMovement } from "../../movements/movement-search.ts";
import { readHead } from "../../movements/audit-trail.ts";

export default command({
  summary: "Collect the proof of one order, for an auditor.",
  description:
    "One JSON document has the order, the answer, the statement rows, and the history as a chain of hashes. Submission and decisions are lines of it, with signatures. docs/shared-journal.md has a script that verifies it. A statement row is in it once journal resolve has found it.",
  examples: ["journal prove SAL-2026-40 --save proof.json"],
  args: { key: positional({ summary: "The order's reference, its id, or how the id begins.", read: neededText }) },
  flags: {
    from: option({
      value: "HEAD",
      summary: "Begin the chain after this head, which was noted outside (default: the first line).",
      read: readHead,
    }),
  },
  exits: ["setup", "refused", "mismatch"],
  async run({ args, flags }, session) {
    const journal = await session.journal("read");
    const movement = await theMovement(journal, args.key);
    return proofOf(journal, movement, flags.from);
  },
});
