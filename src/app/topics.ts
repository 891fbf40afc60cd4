import type { Topics } from "../cli/application.ts";
import { exitCodes } from "../values/failure.ts";

/** What `partner help TOPIC` explains. */
export const topics: Topics = {
  "exit-codes": {
    summary: "What each exit code means and what to do next.",
    text: () =>
      `EXIT CODES\n${exitTable()}\n\nThe code is the same in every output format. A first signal\nwaits for the answer to what is on its way, and the run ends with that; a second one gives up, and it ends with 6.`,
  },
  environment: { summary: "The environment variables.", text: () => environmentText },
  cron: { summary: "How to run partner from cron.", text: () => cronText },
  unknown: { summary: "What to do when nobody knows whether money moved.", text: () => unknownText },
  amounts: { summary: "How amounts are read and written.", text: () => amountsText },
};

function exitTable(): string {
  return exitCodes
    .map(({ exit, ending, next }) => `  ${String(exit).padStart(3)}  ${ending.padEnd(11)}  ${next}`)
    .join("\n");
}

const environmentText = `ENVIRONMENT
  A flag counts before a variable, a variable before the profile. An empty variable counts as unset.

  These say whose account it is:
  PARTNER_BASE_URL           the service; with credentials set no profile is needed
  PARTNER_ACCOUNT_BASE_URL   where merchant accounts live, when that is another address
  PARTNER_ENVIRONMENT        live (the default), sandbox or simulator
  PARTNER_ACCOUNT_ID         the account id
  PARTNER_SECRET_KEY         its secret key
  PARTNER_ACCESS_TOKEN       the bearer token for merchant accounts
  PARTNER_WEBHOOK_KEY        the webhooks' hash key, or two of them with a blank between

  --profile NAME on the command line is that profile's account, whole: these variables are set aside, and a note names
  them. PARTNER_PROFILE is a variable: these count before the profile that it names. Where they name another account,
  the journal records no profile for what is sent, and the profile's limits hold all the same. Variables without a
  profile have no limits: partner profile show

  These say the rest:
  PARTNER_PROFILE            the profile to use
  PARTNER_JOURNAL_URL        postgres://HOST/DATABASE: a journal and an inbox that several hosts share
  PARTNER_..._FILE           each of those above also as the path of a file that holds the value
  PARTNER_OUTPUT             table, json, ndjson or csv
  PARTNER_NO_INPUT           any value: never ask
  PARTNER_CONFIG_DIR         where profiles are kept
  PARTNER_STATE_DIR          where the journal and the inbox are kept

  HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS, NO_COLOR, FORCE_COLOR and TERM are honoured.
  Nothing is read from the current folder, and no .env file.`;

const cronText = `CRON
  Look at the exit code, not at the text: partner help exit-codes

  # last month's statement on the first day of the month; the old file stays when anything is wrong
  0 6 1 * *  partner wallet statement 9000112233 --last-month --strict --quiet --save /srv/books/wallet.csv

  # a mail when a wallet runs low (cron mails what stands on stderr)
  */15 * * * *  partner wallet balance 9000112233 --fail-below 500000 --quiet > /dev/null

  cron looks for programs in /usr/bin and /bin alone: write the whole path of partner (and where npm installed it, set
  PATH in the crontab so that node is found, too).

  Without a terminal partner never asks. Credentials come from the profile of the user whose crontab it is, or from
  files: PARTNER_SECRET_KEY_FILE=/run/secrets/partner-key`;

const unknownText = `UNKNOWN OUTCOMES
  A request that was sent and whose answer was lost may have moved money. partner never calls that failed or done: it
  ends with 6. Do not send it again, under the same reference or another.

  Find out what happened; the statement is read up to today:
    partner journal resolve KEY          or --all

  A row proves an order when all of this holds. Anything less is shown and decides nothing.
    - wallet, side and amount are the order's, and its value date lies from the day before to 7 days after;
    - it carries the reference or an id of the answer, or its narration is what was sent;
    - no row of the same amount took it back, by its reference (REV-…) or its narration;
    - it is the only such row, and no other order's. One row proves one order.
  A payment that was taken back makes its order reversed: no money is gone, and the reference stays used.

  What you know from elsewhere is kept with your name. Before a refusal the statement is read:
    partner journal resolve KEY --as refused --evidence "support ticket 4711"
  Where the statement speaks against it, that ends with 2 (--against-statement decides all the same). Where it cannot be
  read, that ends with 5 (--unchecked decides without it). A lost withdrawal whose row shows neither the reference nor
  the narration needs such a word, and so do most remittances.

  See what is open, for cron:
    partner journal list --state unknown --fail-if-any
    partner journal list --state pending --older-than 1d --fail-if-any

  What was refused or never left may be sent again under its reference. A read never moves money: when one fails it ends
  with 5 and can simply be run again.`;

const amountsText = `AMOUNTS
  Typed amounts are digits with a point before decimals: 1500 or 1500.50. No separators, no sign, no exponent.

  Amounts of the service are never rounded and never pass through a floating-point number: JSON, NDJSON and CSV have the
  digits that the service sent (4500000.00 stays so). Tables group them (4,500,000.00) and show at least the decimals of
  the currency. An empty or absent amount is null in JSON and empty in CSV.`;
