import type { Prng } from "../../src/simulator/prng.ts";

/** An order and its command line. */
export interface Order {
  readonly kind: "transfer" | "withdraw" | "collect" | "payout";
  readonly reference: string;
  /** The wallet whose statement shows it. */
  readonly account: string;
  readonly words: readonly string[];
  /** The same with another amount: another request under the same reference. */
  readonly otherWords: readonly string[];
}

/** Small amounts, so that several can be paid, and one too large for every wallet. */
const amounts = ["5", "5", "50", "400", "100000"] as const;
const narrations = ["rent", "a b c", "salaries [2026]", "ends with ]"] as const;
/** The outcome of a collection or payout: paid; refused; never answered; refused at once; paid despite an error. */
const subscribers = ["255712345678", "255710990001", "255710990003", "255710990005", "255710990008"] as const;
const transfers: readonly [Way, ...Way[]] = [
  ["1001", "1002"],
  ["1001", "1003"],
  ["1002", "1003"],
];
type Way = readonly [from: string, to: string];

/**
 * Orders that are easily confused: references shared with another kind of order, narrations that contain another
 * order's reference, and wallets that cannot transfer to each other.
 */
export interface Awkwardness {
  readonly isAwkward: boolean;
  /** True if orders also come in files. */
  readonly hasBatches?: boolean | undefined;
  /** True if journals are restored, copied and lost, machines cloned, accounts renamed, and payments repeated. */
  readonly hasUpheavals?: boolean | undefined;
  /** The faults of statements, by the names of the events. */
  readonly troubles?: readonly Trouble[] | undefined;
}

export type Trouble = "reversal" | "look-alike row" | "statement late";

const columns = [
  "kind",
  "reference",
  "from",
  "to",
  "account",
  "msisdn",
  "name",
  "channel",
  "amount",
  "description",
  "narration",
];

/** The same orders as a file. */
export function sheetOf(orders: readonly Order[]): string {
  const lines = orders.map(({ words: [kind = "", ...words] }) =>
    columns.map((name) => (name === "kind" ? kind : valueOf(name, words))),
  );
  return [columns, ...lines].map((cells) => `${cells.join(",")}\n`).join("");
}

/**
 * True if rows of one order can be taken for another's: the reference, wallet and amount are the same, or its incoming
 * row looks like the other's reversal.
 */
export function isMistakenFor({ reference, account, words }: Order, other: Order): boolean {
  if (valueOf("amount", words) !== valueOf("amount", other.words)) return false;
  const names = [reference, valueOf("description", words)];
  const isIncoming = valueOf("to", words) === other.account;
  return isIncoming ? names.includes(other.reference) : account === other.account && reference === other.reference;
}

function valueOf(name: string, words: readonly string[]): string {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? "" : (words[at + 1] ?? "");
}

/** A new order. */
export function drawOrder(draw: Prng, before: readonly Order[], { isAwkward, hasUpheavals }: Awkwardness): Order {
  const kind = draw.pick<Order["kind"]>([
    "transfer",
    "transfer",
    "withdraw",
    "withdraw",
    "collect",
    "payout",
    "payout",
  ]);
  const reference = newReference(isAwkward ? before.filter((order) => order.kind === kind) : before);
  const [amount, other] = [draw.pick(amounts), "7"];
  const narration = draw.pick(isAwkward ? [...narrations, "R-1"] : narrations);
  // A journal that has lost an order cannot distinguish its row from another with the same narration.
  const own = hasUpheavals === true ? `${narration} ${before.length + 1}` : narration;
  const { account, words } = wordsOf[kind](draw, own, isAwkward);
  const line = (howMuch: string) => [...words, "--amount", howMuch, "--reference", reference, "--yes", "--json"];
  return { kind, reference, account, words: line(amount), otherWords: line(other) };
}

function newReference(before: readonly Order[]): string {
  const taken = new Set(before.map(({ reference }) => reference));
  const numbers = Array.from({ length: before.length + 1 }, (_, index) => `R-${index + 1}`);
  return numbers.find((one) => !taken.has(one)) ?? "R-0";
}

/** The same payment again, under an unused reference. */
export function twinOf(order: Order, before: readonly Order[]): Order {
  return under(newReference(before), order);
}

/** The same payment under another reference, with its own narration. */
export function under(reference: string, order: Order): Order {
  const rename = (words: readonly string[]) =>
    words.map((word, at) => {
      const flag = words[at - 1] ?? "";
      if (flag === "--reference") return reference;
      return ["--narration", "--description"].includes(flag) ? `${word} ${reference.toLowerCase()}a` : word;
    });
  return { ...order, reference, words: rename(order.words), otherWords: rename(order.otherWords) };
}

type Drawn = (
  draw: Prng,
  narration: string,
  isAwkward: boolean,
) => { readonly account: string; readonly words: readonly string[] };

const wordsOf: Readonly<Record<Order["kind"], Drawn>> = {
  transfer(draw, narration, isAwkward) {
    const [from, to] = draw.pick(isAwkward ? [...transfers, ["1001", "2001"]] : transfers);
    return { account: from, words: ["transfer", "--from", from, "--to", to, "--description", narration] };
  },
  withdraw(draw, narration) {
    const account = draw.pick(["1001", "1002"]);
    return { account, words: ["withdraw", "--account", account, "--narration", narration] };
  },
  collect(draw, narration) {
    const channel = ["--channel", "TZ-TIGO-C2B", "--callback-url", "https://hooks.example/partner"];
    const words = ["collect", "--msisdn", draw.pick(subscribers), ...channel, "--narration", narration];
    return { account: "3001", words };
  },
  payout(draw, narration) {
    const account = draw.pick(["1001", "1002"]);
    const receiver = ["--to", draw.pick(subscribers), "--channel", "TZ-TIGO-B2C", "--name", "ASHA JUMA"];
    const told = ["--callback-url", "https://hooks.example/partner"];
    return { account, words: ["payout", "--from", account, ...receiver, ...told, "--narration", narration] };
  },
};

/** Kinds of orders whose money moves after the answer, once the subscriber or the receiver's operator has answered. */
export const lateKinds: ReadonlySet<Order["kind"]> = new Set(["collect", "payout"]);
