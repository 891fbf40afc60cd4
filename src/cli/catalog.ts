import type { Command } from "@oclif/core/command";

/** Every command and where its code is. A command's code is loaded only when it is run. */
export const catalog: Readonly<Record<string, () => Promise<{ default: typeof Command }>>> = {
  "account:balance": () => import("../commands/account/balance.ts"),
  "account:statement": () => import("../commands/account/statement.ts"),
  institutions: () => import("../commands/institutions.ts"),
  "wallet:balance": () => import("../commands/wallet/balance.ts"),
  "wallet:statement": () => import("../commands/wallet/statement.ts"),
  "wallets:list": () => import("../commands/wallets/list.ts"),
};
