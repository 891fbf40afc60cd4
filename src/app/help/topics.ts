import type { Topics } from "../../cli/application.ts";
import type { HelpSection } from "../../cli/help/layout.ts";
import { commands, entries, prose } from "../../cli/help/layout.ts";
import { faultValues, nameInHelp } from "../../simulator/fault.ts";
import { faultForms, faultKinds } from "../../simulator/faults/kinds.ts";
import { exitCodes } from "../../values/failure.ts";
import { environmentPage } from "./environment.ts";

/** What `partner help TOPIC` explains. */
export const topics: Topics = {
  flags: {
    summary: "The flags that every command has.",
    page: () => [
      {
        blocks: [prose("These flags work with every command. They can come before, between or after its words.")],
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
            "The service's amounts are never rounded, and never pass through a floating-point number. JSON, NDJSON and CSV have the digits that the service sent (4500000.00 stays so). Tables group them (4,500,000.00) and show at least the decimals of the currency. An empty or absent amount is null in JSON and empty in CSV.",
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

/** What an unknown outcome is, and how it becomes a known one. */
function unknownPage(): readonly HelpSection[] {
  return [
    {
      heading: "UNKNOWN OUTCOMES",
      blocks: [
        prose(
          "A request that was sent and whose answer was lost may have moved money. partner never calls that failed or done: it ends with 6. Do not send it again, under the same reference or another.",
        ),
        prose("Find out what happened; the statement is read up to today:"),
        commands("partner journal resolve KEY", "partner journal resolve --all"),
        prose("A row proves an order when all of this holds. Any other row is shown and decides nothing."),
        prose(
          "- Wallet, side and amount are the order's, and its value date lies from the day before to 7 days after.\n- It carries the reference or an id of the answer, or its narration is what was sent.\n- No row of the same amount reversed it, by its reference (REV-…) or its narration.\n- It is the only such row, and no other order's. One row proves one order.",
        ),
        prose("If the payment was reversed, so is its order: no money is gone, and the reference stays used."),
        prose(
          "Or say what you know from elsewhere: it was paid, or it was not. It is kept with your name. Before a refusal the statement is read:",
        ),
        commands(
          'partner journal resolve KEY --as accepted --evidence "bank letter 12"',
          'partner journal resolve KEY --as refused --evidence "support ticket 4711"',
        ),
        prose(
          "If the statement contradicts it, that ends with 2 (--against-statement decides all the same). If it cannot be read, that ends with 5 (--unchecked decides without it). Most remittances are decided this way. So is a lost withdrawal whose row shows neither the reference nor the narration.",
        ),
        prose("See what is open, for cron:"),
        commands(
          "partner journal list --state unknown --fail-if-any",
          "partner journal list --state pending --older-than 1d --fail-if-any",
        ),
        prose(
          "What was refused or never left may be sent again under its reference. A read never moves money: when one fails it ends with 5 and can be run again.",
        ),
      ],
    },
  ];
}

/** The conditions by which lists choose rows. */
function wherePage(): readonly HelpSection[] {
  return [
    {
      heading: "WHERE",
      blocks: [
        prose("Every list takes --where with a condition, and shows the rows that match it. Quote it for the shell."),
        commands(
          "partner wallet statement 9000112233 --last-month --where 'amount<=-50000'",
          "partner journal list --where 'state=unknown or amount>1000000'",
          "partner wallets list --where 'currency=TZS and not accountName~\"test\"'",
        ),
        entries(
          ["= !=", "equal, or not equal"],
          ["< <= > >=", "less or more; amounts are compared exactly, days as far as the typed one goes"],
          ["~", "has this text in it; upper and lower case count the same"],
          ["and or not ( )", "join conditions; not binds closest, then and, then or"],
          ["null", "without quotes: the field is empty; takes = and !="],
        ),
        prose(
          "Names are those of the JSON output; a dot leads into an object: request.narration. In statements and the inbox, amount is what came in (positive) or went out (negative). A name that no row has ends with 2.",
        ),
        prose(
          "Values with spaces or symbols in them need quotes. A row whose field is empty matches no comparison but != and =null.",
        ),
        prose("The statement's own check looks at all rows, whatever --where shows."),
      ],
    },
  ];
}
