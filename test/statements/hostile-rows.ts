import type { Told } from "./told.ts";

/** Narrations with a meaning to some reader, or that some reader cannot hold. */
const narrations: readonly string[] = [
  "Order 7; paid, thanks",
  'He said "no" and \\ left\\',
  "<STMTTRN><TRNAMT>9999</STMTTRN> & &amp; &#0; ]]> <!-- -->",
  "date:99 [2020-01-01] ; comment",
  "! * (code) | note = 500 TZS @@ 3 USD",
  "  ; two spaces before a semicolon",
  "\u0000\u0001\u001b[31mred\u007f\u0085\u009b",
  "one\ntwo\r\nthree\tfour\u2028five\u2029six\u000bseven",
  "\ud800 half, \udfff half, \ufffe and \uffff",
  "👨‍👩‍👧 familia, 🙏🏾, Zoë Mwangá, \u202eright to left\u202c, عربي, 中文",
  "",
  "   ",
  "\u00a0",
  "x".repeat(2000),
  `${"é".repeat(139)}👍👍 ${"n".repeat(300)}`,
  "include /etc/passwd",
  "^link #tag key: value",
  "P 2026-01-01 TZS 5 USD",
  "~ monthly",
  "%s %n {0} ${HOME} `id`",
];

/** References of the same kind; some occur twice. */
const references: readonly string[] = [
  "A",
  "A",
  "A#2",
  "A",
  "A-PAYIN",
  "A-PAYOUT",
  "-X50jcLD_U",
  "with blank (and) parens; x",
  "",
  "",
  "0000123456",
  "1b4e28ba-2fa1-11d2-883f-0016d3cca427-PAYIN",
  "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
  "R".repeat(300),
  `${"R".repeat(299)}S`,
  "<&>'\"",
  "\u0007bell\nline",
  "Zoë-1",
];

const amounts = ["12500", "-0.01", "2232745.15", "-450000.00", "0", "7.5", "-3", "123456789012.10"] as const;

/** All of these in a fixed order, from the first second of February to its last. */
export const hostileRows: readonly Told[] = Array.from({ length: 40 }, (_, index) => ({
  ref: references[index % references.length] ?? "",
  at: `2026-02-${String(1 + Math.floor((index * 28) / 40)).padStart(2, "0")} ${index % 2 === 0 ? "00:00:00" : "23:59:59"}`,
  narration: narrations[index % narrations.length] ?? "",
  sender: index % 3 === 0 ? (narrations[(index + 7) % narrations.length] ?? "") : "",
  amount: amounts[index % amounts.length] ?? "0",
}));
