import { command } from "../app/command.ts";
import { moneyTools } from "../app/money/money-context.ts";
import { listWallets } from "../contract/wallets.ts";
import { movementReport } from "../movements/movement-report.ts";
import { perform } from "../movements/perform.ts";
import { transferOrder } from "../movements/kinds/transfer.ts";
import { Decimal } from "../values/money/decimal.ts";

/** A command that reads and moves money through the one door: it compiles and breaks no rule. */
export default command({
  summary: "Send one shilling to the first wallet.",
  examples: ["proper"],
  args: {},
  flags: {},
  exits: ["refused", "unknown"],
  async run(_, session) {
    const [to] = await session.service.read(listWallets, {});
    const order = transferOrder({
      from: "1001",
      to: String(to?.["accountNo"]),
      amount: Decimal.parse("1") ?? Decimal.zero,
      description: "rent",
      reference: session.newReference("T"),
      tagged: true,
    });
    const { movement } = await perform(order, await moneyTools(session));
    return movementReport(movement, []);
  },
});
