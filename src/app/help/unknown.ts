import type { Section } from "../../cli/help/layout.ts";
import { commands, prose } from "../../cli/help/layout.ts";

/** What an unknown outcome is, and how it becomes a known one. */
export function unknownPage(): readonly Section[] {
  return [
    {
      heading: "UNKNOWN OUTCOMES",
      blocks: [
        prose(
          "A request that was sent and whose answer was lost may have moved money. partner never calls that failed or done: it ends with 6. Do not send it again, under the same reference or another.",
        ),
        prose("Find out what happened; the statement is read up to today:"),
        commands("partner journal resolve KEY", "partner journal resolve --all"),
        prose("A row proves an order when all of this holds. Anything less is shown and decides nothing."),
        prose(
          "- Wallet, side and amount are the order's, and its value date lies from the day before to 7 days after.\n- It carries the reference or an id of the answer, or its narration is what was sent.\n- No row of the same amount took it back, by its reference (REV-…) or its narration.\n- It is the only such row, and no other order's. One row proves one order.",
        ),
        prose(
          "A payment that was taken back makes its order reversed: no money is gone, and the reference stays used.",
        ),
        prose("What you know from elsewhere is kept with your name. Before a refusal the statement is read:"),
        commands('partner journal resolve KEY --as refused --evidence "support ticket 4711"'),
        prose(
          "If the statement contradicts it, that ends with 2 (--against-statement decides all the same). If it cannot be read, that ends with 5 (--unchecked decides without it). A lost withdrawal whose row shows neither the reference nor the narration needs such a word, and so do most remittances.",
        ),
        prose("See what is open, for cron:"),
        commands(
          "partner journal list --state unknown --fail-if-any",
          "partner journal list --state pending --older-than 1d --fail-if-any",
        ),
        prose(
          "What was refused or never left may be sent again under its reference. A read never moves money: when one fails it ends with 5 and can be run again.",
        ),
      ],
    },
  ];
}
