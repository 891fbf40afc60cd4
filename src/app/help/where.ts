import type { Section } from "../../cli/help/layout.ts";
import { commands, entries, prose } from "../../cli/help/layout.ts";

/** The conditions by which lists choose rows. */
export function wherePage(): readonly Section[] {
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
          "Values with blanks or signs in them need quotes. A row whose field is empty matches no comparison but != and =null.",
        ),
        prose("The statement's own check looks at all rows, whatever --where shows."),
      ],
    },
  ];
}
