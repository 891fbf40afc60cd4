import { command } from "../../app/command.ts";
import {
  batchCount,
  clockWarnings,
  confirmRedaction,
  isEmptyPlan,
  planRedaction,
  redactRows,
  redactOrders,
} from "../../app/journal/redaction.ts";
import { requiredOption, toggle } from "../../cli/line/input.ts";
import { Numeral } from "../../values/json.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import { counted } from "../../values/text/counted.ts";
import { parseDuration } from "../../values/time/duration.ts";

const olderThanMaxMs = 36_500 * 86_400_000;

export default command({
  summary: "Take personal data out of orders that were finished long ago.",
  description:
    "Names, numbers and texts become hashes, in the journal, in copies of batches and in the ledger. Amounts, references and states stay, and so does who ordered. History still verifies, with a head noted before. A used reference is still refused. Orders that are pending or unknown are left as they are, and so are submitted batches that are not finished. The texts cannot be restored.",
  examples: ["journal redact --older-than 400d --dry-run", "journal redact --older-than 400d --yes"],
  args: {},
  flags: {
    olderThan: requiredOption({
      value: "400d",
      summary: "Redact what was finished longer ago than this.",
      read: (text, name) => parseDuration(text, name, "400d", olderThanMaxMs),
    }),
    dryRun: toggle({ char: "n", summary: "Say what there is to redact, and change nothing." }),
    yes: toggle({ char: "y", summary: "Redact without asking." }),
  },
  exits: ["setup", "unavailable", "mismatch"],
  async run({ flags }, session) {
    const now = session.host.clock.now();
    const before = now - flags.olderThan;
    const journal = await session.journal(flags.dryRun ? "read" : "write");
    const plan = await planRedaction(session, journal, before);
    const warnings = clockWarnings(plan, before, now);
    // A question about nothing would make a person wonder what a yes does.
    const isIdle = !flags.dryRun && !flags.yes && session.canAsk && isEmptyPlan(plan);
    if (!flags.dryRun && !flags.yes && !isIdle) await confirmRedaction(session, plan, warnings);
    const isLook = flags.dryRun || isIdle;
    const rows = isLook ? plan.rows : await redactRows(session, journal, before);
    const done = isLook
      ? { orders: plan.orders.length, batches: batchCount(plan) }
      : await redactOrders(session, journal, plan, before);
    return {
      shape: "record",
      columns: [
        { name: "orders", kind: "count" },
        { name: "batches", kind: "count" },
        { name: "rows", kind: "count" },
        { name: "before", kind: "time" },
        { name: "redacted", kind: "text" },
      ],
      record: {
        orders: Numeral.of(done.orders),
        batches: Numeral.of(done.batches),
        rows: Numeral.of(rows),
        before: isoDarEsSalaam(before),
        redacted: !isLook,
      },
      findings: () => ({
        notes: [
          // With a question, they were shown above it.
          ...(flags.dryRun || flags.yes ? warnings.map((warning) => `Warning: ${warning}`) : []),
          ...(isIdle ? ["There is nothing to redact; nothing was changed."] : []),
          ...(done.batches === batchCount(plan)
            ? []
            : ["A batch has changed meanwhile, and stays with its orders. Run the same command again."]),
          ...(plan.open === 0 ? [] : [openWords(plan)]),
        ],
      }),
    };
  },
});

/** What stays although it is old enough, and how to redact it. */
function openWords({ open, kept }: { readonly open: number; readonly kept: number }): string {
  const batches =
    open === 1
      ? "1 submitted batch is not over, and keeps its"
      : `${open} submitted batches are not over, and keep their`;
  return `${batches} texts, with ${counted(kept, "order")}. A checker ends a batch: partner batch reject ID --reason TEXT`;
}
