import { command } from "../../app/command.ts";
import { takenBackInLedger } from "../../app/find/find.ts";
import { seenWallets } from "../../app/seen/wallets.ts";
import type { Session } from "../../app/session.ts";
import { neededText, positional } from "../../cli/line/input.ts";
import { groundsOf } from "../../journal/grounds.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { theMovement } from "../../movements/movement-search.ts";
import type { Receipt } from "../../movements/receipt.ts";
import { receiptFields, receiptLines, receiptOf, receiptTable } from "../../movements/receipt.ts";
import { Failure } from "../../values/failure.ts";

/** The page to print. */
const page = { name: "html", ending: ".html", isBinary: false } as const;

export default command({
  summary: "Show or save a receipt for one order, to give to the payer or the receiver.",
  description:
    "It names payer, receiver, amount, time and reference, and says how the payment is known. An order that was not paid has no receipt: the page says so. A payment that the ledger shows as reversed has none either. It needs no service and no credentials.",
  examples: ["journal receipt SAL-2026-40", "journal receipt SAL-2026-40 --save receipt.html"],
  args: { key: positional({ summary: "The order's reference, its id, or how the id begins.", read: neededText }) },
  flags: {},
  fileFormats: [page],
  exits: ["setup", "refused"],
  async run({ args }, session) {
    const journal = await session.journal("read");
    const movement = await theMovement(journal, args.key);
    const seen = (await seenWallets(session.host)).filter(({ scope }) => scope === movement.scope);
    const back = movement.state === "accepted" ? await backIn(session, journal, movement) : undefined;
    const known = {
      wallet: (accountNo: string) => seen.findLast(({ wallet }) => wallet === accountNo),
      grounds: groundsOf(movement, await journal.events(movement.id)),
    };
    const receipt = receiptOf(movement, known, back);
    if (session.result.file === page.name) return { shape: "file", content: pageOf(receipt) };
    const { format, columns } = session.result;
    if (format === "table" && columns === undefined) return { shape: "record", ...receiptTable(receipt) };
    return { shape: "record", columns: receiptFields, record: receipt.record };
  },
});

/** A user who may not read the ledger gets a receipt with what the journal knows, and a note that says so. */
async function backIn(session: Session, journal: Journal, movement: Movement): Promise<string | undefined> {
  try {
    return await takenBackInLedger(session, journal, movement);
  } catch (error) {
    if (!(error instanceof Failure) || error.ending !== "setup") throw error;
    await session.note(`The receipt relies on the journal alone. ${error.message}`);
    return undefined;
  }
}

async function* pageOf(receipt: Receipt): AsyncGenerator<string> {
  const { pageOpening, shown, termList } = await import("../../statements/formats/page.ts");
  const { isPaid, title, sentence, money } = receipt;
  const { reference } = receipt;
  yield `${pageOpening({ title: `${title} ${reference}`, kind: isPaid ? "Receipt" : "Not a receipt", heading: money })}
<p>${shown(`${title}. ${sentence}`)}</p>
</header>
${termList("facts", receiptLines(receipt))}
</body>
</html>
`;
}
