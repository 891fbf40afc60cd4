import type { Day } from "../../values/time/day.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { demoNumbers } from "./accounts.ts";
import type { DemoPages } from "./pages.ts";
import type { Prng } from "../prng.ts";
import { collectionFee, feeNarration } from "../books/fee.ts";

const firstOrdinaryHour = 6;
const lastOrdinaryHour = 20;
const people = [
  "Amina Juma",
  "José Ng'ombe",
  "Neema Mushi",
  "Baraka O'Tieno",
  "Fatma Said",
  "Grégoire Kabila",
  "Zoë Mwangá",
] as const;
const goods = ["sukari, 5kg", "mchele (rice)", 'kitenge "Wax"', "simu & chaja", "saruji", "mafuta; lita 20"] as const;

/** Writes one ordinary day of the demo's business. `draw` alone decides what happens, so a day is always the same. */
export function writeDay(pages: DemoPages, draw: Prng, day: Day): void {
  for (let left = draw.integer(2, 5), count = 1; left > 0; left--, count++) collect(pages, draw, day, count);
  for (let left = draw.integer(1, 2); left > 0; left--) payOut(pages, draw, day);
  // 1970-01-01 was a Thursday; Sunday is 0.
  const weekday = (day.serial + 4) % 7;
  if (weekday === 0) sellAtPost(pages, draw, day);
  if (weekday === 1) fillSalaries(pages, draw, day);
  if (weekday === 2) receiveAtBank(pages, draw, day);
  if (weekday === 3) payInKenya(pages, draw, day);
  if (weekday === 5) paySalaries(pages, draw, day);
  if (day.compare(day.firstOfMonth()) === 0) topUp(pages, draw, day);
}

/** A subscriber pays: the wallet's row, its fee, and the same money on the merchant account. */
function collect(pages: DemoPages, draw: Prng, day: Day, count: number): void {
  const at = hour(draw, day);
  const reference = `INV-${day.toString().replaceAll("-", "")}-${count.toString().padStart(2, "0")}`;
  const transactionId = draw.id();
  const amount = amountOf(draw, 5, 250);
  const narration = `Malipo ya ${draw.pick(goods)}, ${draw.pick(people)}`;
  const extra = draw.integer(1, 5) === 1 ? { cbaRefNo: null, meta: {} } : {};
  pages.wallet(demoNumbers.collections, { reference, at, narration, direction: "in", amount, extra });
  pages.wallet(demoNumbers.collections, {
    reference: `${reference}-PAYIN`,
    at,
    narration: feeNarration(reference, transactionId),
    direction: "out",
    amount: collectionFee(Decimal.parse(amount) ?? Decimal.zero).toString(),
  });
  pages.merchant(demoNumbers.merchant, {
    reference,
    at,
    narration,
    direction: "in",
    amount,
    transactionId: draw.uuid(),
    paymentReference: transactionId,
    sender: { accountNo: `25571${draw.integer(1_000_000, 9_899_999)}`, name: null, bank: null },
  });
}

/** A beneficiary is paid, for a fee. */
function payOut(pages: DemoPages, draw: Prng, day: Day): void {
  const at = hour(draw, day);
  const reference = draw.id();
  const narration = `Malipo kwa ${draw.pick(people)}`;
  pages.wallet(demoNumbers.payouts, { reference, at, narration, direction: "out", amount: cents(draw, 20, 300) });
  pages.wallet(demoNumbers.payouts, {
    reference: `${reference}-PAYOUT`,
    at,
    narration: feeNarration(reference, draw.id()),
    direction: "out",
    amount: "1500.00",
  });
}

function topUp(pages: DemoPages, draw: Prng, day: Day): void {
  const narration = "Top-up, standing order 0042";
  const at = hour(draw, day);
  pages.wallet(demoNumbers.payouts, { reference: draw.id(), at, narration, direction: "in", amount: "12500000.00" });
}

/** Monday: the salaries' wallet is filled, and a part of the collections goes to the main account. */
function fillSalaries(pages: DemoPages, draw: Prng, day: Day): void {
  const row = { reference: draw.id(), at: hour(draw, day), narration: "Mishahara ya wiki", amount: "2000000" };
  pages.wallet(demoNumbers.payouts, { ...row, direction: "out" });
  pages.wallet(demoNumbers.salaries, { ...row, direction: "in" });
  pages.wallet(demoNumbers.collections, {
    reference: `WD-${day.toString()}`,
    at: hour(draw, day),
    txnDate: `${day.toString()} 00:00:00`,
    narration: "Withdrawal to the main account",
    direction: "out",
    amount: "500000",
  });
}

function paySalaries(pages: DemoPages, draw: Prng, day: Day): void {
  for (const person of people.slice(0, 3)) {
    const amount = `${draw.integer(150, 400) * 1000}`;
    const narration = `Mshahara, ${person}`;
    pages.wallet(demoNumbers.salaries, {
      reference: draw.id(),
      at: hour(draw, day),
      narration,
      direction: "out",
      amount,
    });
  }
}

function sellAtPost(pages: DemoPages, draw: Prng, day: Day): void {
  const narration = `Stempu, ${draw.pick(people)}`;
  const amount = `${draw.integer(1, 90) * 500}`;
  pages.wallet(demoNumbers.shop, { reference: draw.id(), at: hour(draw, day), narration, direction: "in", amount });
}

/** Tuesday: a bank transfer comes in; Thursday's settlement leaves. */
function receiveAtBank(pages: DemoPages, draw: Prng, day: Day): void {
  pages.merchant(demoNumbers.merchant, {
    reference: `FT${draw.integer(10_000_000, 99_999_999)}`,
    at: hour(draw, day),
    narration: "Invoice 2231, deposit",
    direction: "in",
    amount: "2232745.15",
    transactionId: draw.uuid(),
    paymentReference: null,
    sender: { accountNo: "0150012345678", name: "Grégoire Kabila", bank: "CORUTZTZ" },
  });
  pages.merchant(demoNumbers.merchant, {
    reference: `ST${draw.integer(10_000_000, 99_999_999)}`,
    at: hour(draw, day.addDays(2)),
    narration: "Settlement to the main account",
    direction: "out",
    amount: "1950000.00",
    transactionId: null,
    paymentReference: null,
  });
}

function payInKenya(pages: DemoPages, draw: Prng, day: Day): void {
  const row = { reference: draw.id(), at: hour(draw, day), narration: "Float for Mombasa", amount: "25000.00" };
  pages.wallet(demoNumbers.nairobi, { ...row, direction: "out" });
  pages.wallet(demoNumbers.mombasa, { ...row, direction: "in" });
  const amount = `${draw.integer(2, 20) * 1000}.${draw.integer(10, 99)}`;
  const narration = `Malipo, ${draw.pick(people)}`;
  const at = hour(draw, day.addDays(1));
  pages.wallet(demoNumbers.mombasa, { reference: draw.id(), at, narration, direction: "out", amount });
}

function hour(draw: Prng, day: Day): string {
  const [hours, minutes, seconds] = [
    draw.integer(firstOrdinaryHour, lastOrdinaryHour),
    draw.integer(0, 59),
    draw.integer(0, 59),
  ].map((part) => part.toString().padStart(2, "0"));
  return `${day.toString()} ${hours}:${minutes}:${seconds}`;
}

/** Thousands of shillings, as the service writes them: mostly whole, sometimes with decimals. */
function amountOf(draw: Prng, minThousands: number, maxThousands: number): string {
  const whole = `${draw.integer(minThousands, maxThousands) * 1000}`;
  const form = draw.integer(1, 10);
  return form === 1 ? `${whole}.00` : form === 2 ? `${whole}.${draw.integer(10, 99)}` : whole;
}

function cents(draw: Prng, minThousands: number, maxThousands: number): string {
  return `${draw.integer(minThousands, maxThousands) * 1000}.${draw.integer(0, 9) === 0 ? "50" : "00"}`;
}
