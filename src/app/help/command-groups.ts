import type { CommandGroup } from "../../cli/application.ts";

/** The commands by what they are for, as `partner` alone lists them: the common ones first, and each of them once. */
export const commandGroups: readonly CommandGroup[] = [
  {
    heading: "Look",
    common: ["wallets:list", "wallet:balance", "wallet:statement", "find", "journal:list", "journal:show"],
    more: ["account:balance", "account:statement", "institutions", "api"],
  },
  {
    heading: "Move money",
    common: [
      "transfer",
      "withdraw",
      "payout",
      "collect",
      "remit",
      "batch:check",
      "batch:run",
      "journal:resolve",
      "journal:receipt",
    ],
    more: [
      "batch:template",
      "batch:status",
      "batch:report",
      "batch:show",
      "batch:submit",
      "batch:approve",
      "batch:reject",
      "batch:withdraw",
      "batch:wait",
      "batch:list",
      "approvals:set",
      "approvals:show",
      "approvals:delegate",
      "remit:template",
    ],
  },
  {
    heading: "Month end",
    common: ["ledger:sync", "ledger:status", "report", "close", "reconcile", "journal:export"],
    more: ["ledger:statement", "ledger:sql", "ledger:accept", "rules:check", "journal:verify"],
  },
  {
    heading: "Webhooks",
    common: ["webhook:listen", "webhook:inbox:list", "webhook:verify", "webhook:send"],
    more: ["webhook:inbox:show", "webhook:inbox:replay", "webhook:inbox:prune"],
  },
  {
    heading: "Set up",
    common: ["profile:add", "profile:list", "profile:show", "profile:check", "doctor", "simulator:run"],
    more: [
      "profile:use",
      "profile:set",
      "profile:remove",
      "simulator:start",
      "simulator:stop",
      "completion",
      "schema",
      "journal:recover",
      "journal:move",
      "journal:migrate",
      "journal:copy",
    ],
  },
];
