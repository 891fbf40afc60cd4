import type { Day } from "../../values/time/day.ts";
import { demoNumbers } from "./accounts.ts";
import type { DemoPages, DemoRow } from "./pages.ts";
import { Numeral } from "../../values/json.ts";

type Oddity = Omit<DemoRow, "at" | "direction">;

/**
 * Rows that break careless programs, one on each of the first days: formulas, quotes, escape sequences, line breaks, an
 * id with a leading dash, an original date weeks before, undocumented fields, and the older form of a row.
 */
const oddities: readonly Oddity[] = [
  {
    reference: "ODD-FORMULA-1",
    narration: '=HYPERLINK("https://example.invalid/pay","Paid, see here")',
    amount: "12500",
  },
  { reference: "ODD-FORMULA-2", narration: "+255712345678 malipo ya maji", amount: "7000.00" },
  { reference: "ODD-FORMULA-3", narration: "@SUM(A1:A9)", amount: "900" },
  { reference: "-X50jcLD_U", narration: "-15% discount, agreed", amount: "15000" },
  { reference: "ODD-QUOTES", narration: 'Order "Zoë & Sons", 3 boxes; paid, thanks', amount: "450000.00" },
  { reference: "ODD-ESCAPE", narration: "\u001b[31mURGENT\u001b[0m piga simu", amount: "3300" },
  { reference: "ODD-LINES", narration: "Line one\nline two\r\nline three", amount: "2232745.15" },
  { reference: "ODD-EXTRA", narration: "Malipo 🙏🏾 ya ada", amount: "60000", extra: { cbaRefNo: null, meta: {} } },
  { reference: "ODD-OLD-FORM", narration: "Old statement", amount: "5000", extra: { amountDebited: "" } },
  { reference: "0000123456", narration: "Reference with leading zeros", amount: "1950000.00" },
];

/** Adds the odd rows to the collection wallet, and large amounts to the savings wallet. */
export function writeOddities(pages: DemoPages, firstDay: Day): void {
  for (const [index, oddity] of oddities.entries()) {
    const at = `${firstDay.addDays(index + 1).toString()} 21:30:00`;
    pages.wallet(demoNumbers.collections, { ...oddity, at, direction: "in" });
  }
  pages.wallet(demoNumbers.collections, {
    reference: "ODD-LATE",
    at: `${firstDay.addDays(12).toString()} 21:30:00`,
    txnDate: `${firstDay.addDays(-9).toString()} 08:15:00`,
    narration: "Paid three weeks ago, processed today",
    direction: "in",
    amount: "88000",
  });
  savings(pages, firstDay);
}

/** The balance ends at 12345678901234567.10: seventeen digits before the point, and none may be lost. */
function savings(pages: DemoPages, firstDay: Day): void {
  const rows: readonly [days: number, direction: "in" | "out", amount: string][] = [
    [3, "in", "9007199254740993.00"],
    [10, "out", "9007199254740992.00"],
    [17, "in", "4566.00"],
  ];
  for (const [days, direction, amount] of rows) {
    const at = `${firstDay.addDays(days).toString()} 10:00:00`;
    const extra = { checksum: new Numeral("98765432109876543210") };
    pages.wallet(demoNumbers.savings, { reference: `AKIBA-${days}`, at, narration: "Akiba", direction, amount, extra });
  }
}
