import type { SimulatorAccess } from "./simulator.ts";

/** Only the data needed to connect to a simulator. */
export function accessTo(simulator: SimulatorAccess): SimulatorAccess {
  const { baseUrl, accountBaseUrl, environment, accountId, secretKey, accessToken, webhookKey } = simulator;
  const { wallets, accounts, extensions } = simulator;
  const credentials = { accountId, secretKey, accessToken, webhookKey };
  return { baseUrl, accountBaseUrl, environment, ...credentials, wallets, accounts, extensions };
}

/**
 * The line that reports that a simulator is ready, with everything needed to connect. Its credentials are the same for
 * all users and work only with simulators.
 */
export function readyLine(simulator: SimulatorAccess, format: string): string {
  const access = accessTo(simulator);
  if (format === "json" || format === "ndjson") return `${JSON.stringify(access)}\n`;
  const { baseUrl, accountBaseUrl, accountId, secretKey, accessToken, webhookKey } = access;
  return `ready ${baseUrl} account-base-url ${accountBaseUrl} account-id ${accountId} secret-key ${secretKey} access-token ${accessToken} webhook-key ${webhookKey}\n`;
}

/** The variables by which a program reaches the simulator. */
export function environmentFor(simulator: SimulatorAccess): Record<string, string> {
  return {
    PARTNER_BASE_URL: simulator.baseUrl,
    PARTNER_ACCOUNT_BASE_URL: simulator.accountBaseUrl,
    PARTNER_ENVIRONMENT: simulator.environment === "sandbox" ? "sandbox" : "simulator",
    PARTNER_ACCOUNT_ID: simulator.accountId,
    PARTNER_SECRET_KEY: simulator.secretKey,
    PARTNER_ACCESS_TOKEN: simulator.accessToken,
    PARTNER_WEBHOOK_KEY: simulator.webhookKey,
    ...(simulator.extensions === undefined ? {} : { PARTNER_EXTENSIONS: simulator.extensions.join(",") }),
  };
}
