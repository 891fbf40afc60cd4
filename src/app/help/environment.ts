import type { HelpSection } from "../../cli/help/layout.ts";
import { entries, prose } from "../../cli/help/layout.ts";

/** The variables that partner reads. */
export function environmentPage(): readonly HelpSection[] {
  return [
    {
      heading: "ENVIRONMENT",
      blocks: [
        prose("A flag counts before a variable, a variable before the profile. An empty variable counts as unset."),
        prose("These say whose account it is:"),
        entries(
          ["PARTNER_BASE_URL", "the service; with credentials set no profile is needed"],
          ["PARTNER_ACCOUNT_BASE_URL", "where merchant accounts live, when that is another address"],
          ["PARTNER_ENVIRONMENT", "live (the default), sandbox or simulator"],
          ["PARTNER_ACCOUNT_ID", "the account id"],
          ["PARTNER_SECRET_KEY", "its secret key"],
          ["PARTNER_ACCESS_TOKEN", "the bearer token for merchant accounts"],
          ["PARTNER_WEBHOOK_KEY", "the webhooks' hash key, or two of them with a space between"],
          ["PARTNER_EXTENSIONS", "what the account has beyond the specification, such as payout,payment-status"],
        ),
        prose(
          "With --profile NAME on the command line, that profile's whole account is used. These variables are then set aside, and a note names them. PARTNER_PROFILE is a variable: these count before the profile that it names. Where they name another account, the journal records no profile for what is sent, and the profile's limits hold all the same. Variables without a profile have no limits: partner profile show",
        ),
        prose("These say the rest:"),
        entries(
          ["PARTNER_PROFILE", "the profile to use"],
          ["PARTNER_JOURNAL_URL", "postgres://HOST/DATABASE: a journal and an inbox that several hosts share"],
          ["PARTNER_..._FILE", "each of those above also as the path of a file that holds the value"],
          ["PARTNER_OUTPUT", "table, json, ndjson or csv"],
          ["PARTNER_NO_INPUT", "any value: never ask"],
          ["PARTNER_CONFIG_DIR", "where profiles are kept"],
          ["PARTNER_STATE_DIR", "where the journal and the inbox are kept"],
          ["PARTNER_SIMULATOR_DIR", "set by simulator start --env: where simulator stop finds it"],
        ),
        prose(
          "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, NO_COLOR, FORCE_COLOR and TERM are honoured. Nothing is read from the current folder, and no .env file.",
        ),
      ],
    },
  ];
}
