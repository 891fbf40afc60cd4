import type { Topics } from "../../cli/application.ts";
import { commands, entries, prose } from "../../cli/help/layout.ts";
import { faultValues, nameInHelp } from "../../simulator/fault.ts";
import { faultForms, faultKinds } from "../../simulator/faults/kinds.ts";
import { exitCodes } from "../../values/failure.ts";
import { environmentPage } from "./environment.ts";
import { wherePage } from "./where.ts";
import { unknownPage } from "./unknown.ts";

/** What `partner help TOPIC` explains. */
export const topics: Topics = {
  flags: {
    summary: "The flags that every command has.",
    page: () => [
      {
        blocks: [
          prose("These flags work with every command. They can stand before its words, between them or after them."),
        ],
      },
    ],
  },
  "exit-codes": {
    summary: "What each exit code means and what to do next.",
    page: () => [
      {
        heading: "EXIT CODES",
        blocks: [
          entries(
            ...exitCodes.map(({ exit, ending, next }): [string, string] => [
              `${String(exit).padStart(3)}  ${ending.padEnd(longestEnding)}`,
              next,
            ]),
          ),
          prose(
            "The code is the same in every output format. At the first signal a run waits for the answer to what was sent, and ends with that outcome. At a second one it stops waiting, and ends with 6.",
          ),
        ],
      },
    ],
  },
  environment: { summary: "The environment variables.", page: environmentPage },
  cron: {
    summary: "How to run partner from cron.",
    page: () => [
      {
        heading: "CRON",
        blocks: [
          prose("Look at the exit code, not at the text: partner help exit-codes"),
          prose("Last month's statement. The old file stays when anything is wrong:"),
          commands("partner wallet statement 9000112233 --last-month --strict --quiet --save /srv/books/wallet.csv"),
          prose("A mail when a wallet runs low. cron mails what is on stderr:"),
          commands("partner wallet balance 9000112233 --fail-below 500000 --quiet > /dev/null"),
          prose("Put each into a script, and the scripts into the crontab:"),
          commands("0 6 1 * *     /usr/local/bin/monthly-statement", "*/15 * * * *  /usr/local/bin/low-balance"),
          prose(
            "cron looks for programs in /usr/bin and /bin only. Write the whole path of partner. Where npm installed it, set PATH in the crontab so that node is found too.",
          ),
          prose(
            "Without a terminal partner never asks. Credentials come from the profile of the crontab's user, or from files: PARTNER_SECRET_KEY_FILE=/run/secrets/partner-key",
          ),
        ],
      },
    ],
  },
  unknown: { summary: "What to do when it is not known whether money moved.", page: unknownPage },
  amounts: {
    summary: "How amounts are read and written.",
    page: () => [
      {
        heading: "AMOUNTS",
        blocks: [
          prose(
            "Typed amounts are digits with a point before decimals: 1500 or 1500.50. No separators, no sign, no exponent. Three decimals are refused where the currency has two: 25.000 may mean 25000 or 25.",
          ),
          prose(
            "Amounts of the service are never rounded and never pass through a floating-point number. JSON, NDJSON and CSV have the digits that the service sent (4500000.00 stays so). Tables group them (4,500,000.00) and show at least the decimals of the currency. An empty or absent amount is null in JSON and empty in CSV.",
          ),
        ],
      },
    ],
  },
  where: { summary: "How --where chooses rows of a list.", page: wherePage },
  faults: {
    summary: "What the simulator can get wrong, by --fault.",
    page: () => [
      {
        heading: "FAULTS",
        blocks: [entries(...faultKinds.map((kind): [string, string] => [nameInHelp(kind), kind.meaning]))],
      },
      { heading: "WHAT HOW CAN BE", blocks: [entries(...faultValues())] },
      { heading: "WHAT A FAULT HITS", blocks: [entries(...faultForms)] },
    ],
  },
};

const longestEnding = Math.max(...exitCodes.map(({ ending }) => ending.length));
