import type { ProfileValues } from "../../profiles/profile-values.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { anyText, option } from "../../cli/line/input.ts";

/** Values of a profile, as flags. Secrets are never flags: every user of the machine can read command lines. */
export const profileFlags = {
  environment: option({ value: "live|sandbox|simulator", summary: "Whether the money there is real.", read: anyText }),
  baseUrl: option({ value: "URL", summary: "The service's address; it may have a path.", read: anyText }),
  accountBaseUrl: option({
    value: "URL",
    summary: "The address for merchant accounts, if it is another one.",
    read: anyText,
  }),
  accountId: option({ value: "ID", summary: "The partner account's id.", read: anyText }),
  callbackUrl: option({
    value: "URL",
    summary: "Where the service reports outcomes, if always at the same address.",
    read: anyText,
  }),
  secretStore: option({
    value: "file|keyring|command",
    summary: "Where secrets are kept (default: file).",
    read: anyText,
  }),
  credentialCommand: option({
    value: "CMD",
    summary: "The program that prints the secrets, for --secret-store command.",
    read: anyText,
  }),
} as const;

export const secretsFrom = option({
  value: "FILE",
  summary: 'The secrets as JSON ({"secretKey":…, "accessToken":…, "webhookKey":…}), - for stdin.',
  read: anyText,
});

/** The values that were given; the others are left out. */
export function profileValues(flags: FlagValues<typeof profileFlags>): ProfileValues {
  const { environment, baseUrl, accountBaseUrl, accountId, callbackUrl, secretStore, credentialCommand } = flags;
  const given = { environment, baseUrl, accountBaseUrl, accountId, callbackUrl, secretStore, credentialCommand };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
