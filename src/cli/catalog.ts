import type { Command } from "@oclif/core/command";

/** Every command and where its code is. A command's code is loaded only when it is run. */
export const catalog: Readonly<Record<string, () => Promise<{ default: typeof Command }>>> = {
  "account:balance": () => import("../commands/account/balance.ts"),
  "account:statement": () => import("../commands/account/statement.ts"),
  completion: () => import("../commands/completion.ts"),
  institutions: () => import("../commands/institutions.ts"),
  "profile:add": () => import("../commands/profile/add.ts"),
  "profile:check": () => import("../commands/profile/check.ts"),
  "profile:list": () => import("../commands/profile/list.ts"),
  "profile:remove": () => import("../commands/profile/remove.ts"),
  "profile:set": () => import("../commands/profile/set.ts"),
  "profile:show": () => import("../commands/profile/show.ts"),
  "profile:use": () => import("../commands/profile/use.ts"),
  "simulator:run": () => import("../commands/simulator/run.ts"),
  "simulator:start": () => import("../commands/simulator/start.ts"),
  "wallet:balance": () => import("../commands/wallet/balance.ts"),
  "wallet:statement": () => import("../commands/wallet/statement.ts"),
  "wallets:list": () => import("../commands/wallets/list.ts"),
};
