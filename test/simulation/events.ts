import { Custodian } from "./custodian.ts";
import { payAgain, retype } from "./impatience.ts";
import type { Operator, RowTrouble } from "./operator.ts";
import type { Awkwardness, Trouble } from "./orders.ts";

const hourMs = 3_600_000;

/** An event of a play. */
export interface PlayEvent {
  readonly name: string;
  /** Its frequency relative to the others. */
  readonly weight: number;
  /** True if it requires earlier orders. */
  readonly needsOrders: boolean;
  /** The plays it happens in; by default all. */
  readonly happensIn?: (awkwardness: Awkwardness) => boolean;
  /** Performs it; the operator records what is wrong then. */
  readonly happen: (operator: Operator) => Promise<void>;
}

/** All possible events. A new event is a line here. */
export const events: readonly PlayEvent[] = [
  {
    name: "new order",
    weight: 40,
    needsOrders: false,
    happen: (operator) => operator.order(operator.newOrder(), operator.accident()),
  },
  {
    name: "the same order again",
    weight: 20,
    needsOrders: true,
    happen: (operator) => operator.order(operator.oldOrder(), operator.accident()),
  },
  {
    name: "another order under the same reference",
    weight: 5,
    needsOrders: true,
    happen: (operator) => operator.conflict(operator.oldOrder()),
  },
  {
    name: "two processes at once",
    weight: 10,
    needsOrders: true,
    happen: (operator) =>
      operator.race(operator.town.draw.integer(0, 1) === 0 ? operator.oldOrder() : operator.newOrder()),
  },
  {
    name: "statements are looked at",
    weight: 10,
    needsOrders: true,
    happen: (operator) => operator.resolveAll(operator.accident()),
  },
  {
    name: "a person decides",
    weight: 5,
    needsOrders: true,
    happen: (operator) => operator.decide(operator.oldOrder()),
  },
  {
    name: "time passes",
    weight: 10,
    needsOrders: true,
    happen: (operator) => operator.pass(operator.town.draw.pick([1000, hourMs, 24 * hourMs])),
  },
  {
    name: "a file of orders",
    weight: 50,
    needsOrders: false,
    happensIn: ({ hasBatches }) => hasBatches === true,
    happen: (operator) => operator.batch(operator.accident()),
  },
  ...upheavals({
    "a backup is made": async (custodian) => void (await custodian.backUp()),
    "the journal is put back": (custodian) => custodian.restore(),
    "the journal is lost": (custodian) => custodian.lose(),
    "the journal is copied": (custodian) => custodian.copy(),
    "the journal is moved": (custodian) => custodian.move(),
    "a second folder is named": (custodian) => custodian.nameSecondFolder(),
    "the machine is cloned": (custodian) => custodian.clone(),
    "the other machine is used again": (custodian) => custodian.goBack(),
    "the account is renamed": (custodian) => custodian.rename(),
    "somebody pays again": ({ operator }) => payAgain(operator),
    "somebody types a reference otherwise": ({ operator }) => retype(operator.oldOrder(), operator),
  }),
  ...troubles({
    // Some are reversed while they are looked up, some long after.
    reversal: ({ town: { draw } }) => {
      const how = draw.pick(["same", "negative", "named", "REV-{reference}", "{row}/RVSL", "{id} REVERSAL"]);
      const when = draw.pick(["", ",1h", ",2d"]);
      const isForGood = draw.integer(1, 3) > 1;
      const fault = `${isForGood ? "reverse-row" : "rebook-row"}=${how}${when},money:1`;
      // If the answer was lost, the service's own id is unknown.
      return { fault, isUnclear: true, isReturned: isForGood && how !== "{id} REVERSAL" };
    },
    // A twin of an order that was never done would prove it, and a row on the other side would reverse it.
    "look-alike row": ({ town: { draw } }) => {
      const how = draw.pick(["mention", "longer", "amount", "mark", "fee", "last-month", "next-year"]);
      return { fault: `look-alike=${how},money:1`, isUnclear: true };
    },
    // In the end every row is shown.
    "statement late": ({ town: { draw } }) => ({
      fault: draw.pick(["late-row=1h,money:1", "lose-row=money:1"]),
      isUnclear: false,
    }),
  }),
];

type Plan = (operator: Operator) => RowTrouble;

/** Orders with a fault in their rows. */
function troubles(plans: Readonly<Record<Trouble, Plan>>): PlayEvent[] {
  return Object.entries(plans).map(([name, plan]) => ({
    name,
    weight: 20,
    needsOrders: false,
    happensIn: ({ troubles: wanted = [] }) => wanted.some((one) => one === name),
    happen(operator) {
      const order = operator.town.draw.integer(1, 3) === 1 ? operator.oldOrder() : operator.newOrder();
      return operator.orderUnder(plan(operator), order);
    },
  }));
}

const custodians = new WeakMap<Operator, Custodian>();

function custodianOf(operator: Operator): Custodian {
  const known = custodians.get(operator) ?? new Custodian(operator);
  custodians.set(operator, known);
  return known;
}

/** Events that affect the journal and its users. */
function upheavals(acts: Readonly<Record<string, (custodian: Custodian) => Promise<void>>>): PlayEvent[] {
  return Object.entries(acts).map(([name, act]) => ({
    name,
    weight: 12,
    needsOrders: true,
    happensIn: ({ hasUpheavals }) => hasUpheavals === true,
    happen: (operator) => act(custodianOf(operator)),
  }));
}
