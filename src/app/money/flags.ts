import { parseReference } from "../../values/reference.ts";
import { option, toggle } from "../../cli/line/input.ts";

/** The flags of every command that moves money. */
export const moneyFlags = {
  reference: option({
    value: "REF",
    summary: "Your own reference: it moves money at most once (default: a new one).",
    group: "money",
    read: parseReference,
  }),
  yes: toggle({ char: "y", summary: "Send it without asking.", group: "money" }),
  again: toggle({ summary: "Send it although it looks like a payment made before.", group: "money" }),
  dryRun: toggle({ char: "n", summary: "Check everything, show the request, send nothing.", group: "money" }),
} as const;
