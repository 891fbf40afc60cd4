import { Failure } from "../../values/failure.ts";
import { movementNouns } from "../movement.ts";
import { namePath } from "../../values/text/path-name.ts";
import type { Order } from "../journal.ts";
import type { KeptSlip } from "./entering.ts";
import type { Slip } from "./slip.ts";
import { nameSlip } from "./view.ts";

/** States in which no money moved, so that a reference may be used again. */
const unmoved: ReadonlySet<string> = new Set(["refused", "unsent"]);

/**
 * Adds a check to an order, within its claim, against slips that this journal cannot enter: it is older than they are,
 * or took the place of the journal that they belong to. For an order that no statement shows, such a slip is the only
 * trace.
 */
export function holdingSent(order: Order, slips: readonly KeptSlip[]): Order {
  const { check, kind, reference } = order;
  const sent = slips.find(({ slip }) => slip.kind === kind && slip.reference === reference && mayHaveMoved(slip));
  // An order that was paid before is not sent.
  if (sent === undefined || check === undefined) return order;
  return {
    ...order,
    check(around) {
      check(around);
      throw wasSent(sent);
    },
  };
}

function mayHaveMoved({ sent, heard }: Slip): boolean {
  return !unmoved.has(sent?.settlement.state ?? heard?.state ?? "unknown");
}

function wasSent({ path, slip }: KeptSlip): Failure {
  const { kind, reference } = slip;
  const known = `${namePath(path)} has the outcome of the ${nameSlip(slip)}, which this journal does not know.`;
  return new Failure("usage", `${known} Nothing was sent.`, {
    hint: `It was sent with another journal, or with a later state of this one. A journal that is still in use enters it with its next command that writes. Else see at the service what became of it. If no money moved, move the file away and run it again. For another ${movementNouns[kind]}, use another reference.`,
    money: "not moved",
    earlier: "unknown",
    reference,
  });
}
