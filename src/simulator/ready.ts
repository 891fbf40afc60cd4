import type { RunningSimulator } from "./simulator.ts";

/**
 * The one line that says that a simulator takes requests, with all that is needed to reach it. Its credentials are the
 * same for everybody and open nothing but simulators.
 */
export function readyLine(simulator: RunningSimulator, format: string): string {
  const { baseUrl, accountBaseUrl, environment, accountId, secretKey, accessToken, webhookKey, wallets, accounts } =
    simulator;
  if (format === "json" || format === "ndjson")
    return `${JSON.stringify({ baseUrl, accountBaseUrl, environment, accountId, secretKey, accessToken, webhookKey, wallets, accounts })}\n`;
  return `ready ${baseUrl} account-base-url ${accountBaseUrl} account-id ${accountId} secret-key ${secretKey} access-token ${accessToken} webhook-key ${webhookKey}\n`;
}

/** The environment in which a program reaches the simulator and nothing else: what would contradict it is emptied. */
export function environmentFor(simulator: RunningSimulator): Record<string, string> {
  const set = {
    PARTNER_BASE_URL: simulator.baseUrl,
    PARTNER_ACCOUNT_BASE_URL: simulator.accountBaseUrl,
    PARTNER_ENVIRONMENT: simulator.environment === "sandbox" ? "sandbox" : "simulator",
    PARTNER_ACCOUNT_ID: simulator.accountId,
    PARTNER_SECRET_KEY: simulator.secretKey,
    PARTNER_ACCESS_TOKEN: simulator.accessToken,
    PARTNER_WEBHOOK_KEY: simulator.webhookKey,
  };
  const emptied = Object.keys(set).map((name) => [`${name}_FILE`, ""]);
  return { ...Object.fromEntries(emptied), PARTNER_PROFILE: "", PARTNER_PROFILE_FILE: "", ...set };
}

/** Folders of its own for a run that is over soon, and no shared journal; folders that somebody named stay. */
export function foldersIn(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const names = ["PARTNER_CONFIG_DIR", "PARTNER_STATE_DIR"].filter((name) => (environment[name] ?? "") === "");
  const folders = names.map((name) => [name, `${path}/${name === "PARTNER_STATE_DIR" ? "state" : "config"}`]);
  return { ...Object.fromEntries(folders), PARTNER_JOURNAL_URL: "", PARTNER_JOURNAL_URL_FILE: "" };
}
