import type { Movement } from "../../src/journal/movement.ts";
import type { Run } from "../partner.ts";
import { audit, isTakenBack, isTrue, stateOf, timesMoved } from "./auditor.ts";
import { documented, harmless, isTaken, judge } from "./judging.ts";
import type { Awkwardness, Order } from "./orders.ts";
import { drawOrder, isMistakenFor, lateKinds, sheetOf, twinOf, under } from "./orders.ts";
import type { Circumstances, Town } from "./town.ts";
import { fair } from "./town.ts";

const hourMs = 3_600_000;
const settledAfterMs = 2000;
/** A run has about sixty steps, most of them in the database. */
const lifeMaxSteps = 70;
const serviceFaults = ["lose-answer", "fail-answer", "swap-answer", "reset-request", "fail-request"] as const;

/** A fault in an order's rows. */
export interface RowTrouble {
  readonly fault: string;
  /** True if the statements may no longer show for certain what happened to the order. */
  readonly isUnclear: boolean;
  /** True if it is reversed for good by a row that the journal can recognise. */
  readonly isReturned?: boolean;
}

/**
 * The person who places, repeats, looks up and decides orders in a town. After each event their results are checked
 * against the service and its books.
 */
export class Operator {
  readonly steps: string[] = [];
  /** What was wrong, one sentence each. */
  readonly wrong: string[] = [];
  readonly town: Town;
  readonly #awkwardness: Awkwardness;
  readonly #orders: Order[] = [];
  /** Orders that the statements do not show clearly: they may stay unknown. */
  readonly #unclear = new Set<Order>();
  /** Orders reversed by rows that the journal can recognise. */
  readonly #returned = new Set<Order>();
  /** Orders that the journal has lost, or whose latest state it has lost. */
  readonly #forgotten = new Set<Order>();
  #known: readonly Movement[] | undefined;

  constructor(town: Town, awkwardness: Awkwardness) {
    this.town = town;
    this.#awkwardness = awkwardness;
  }

  get hasOrders(): boolean {
    return this.#orders.length > 0;
  }

  /** In the end conditions are fair, statements show everything, and all remaining orders are decided. */
  async settleAll(): Promise<void> {
    await this.town.pass(2 * hourMs);
    this.town.endFaults();
    await this.resolveAll(fair);
    // A lost journal's orders are settled by statements once no similar order is in doubt.
    const isLost = (order: Order) => this.#forgotten.has(order);
    for (const order of this.#orders.filter((one) => !isLost(one))) await this.#settle(order);
    await this.town.pass(2 * hourMs);
    await this.resolveAll(fair);
    for (const order of this.#orders.filter(isLost)) {
      await this.order(order, fair);
      await this.#settle(order);
    }
    await this.town.movements("whole");
  }

  async #settle(order: Order): Promise<void> {
    const state = stateOf(order, await this.movements());
    if (this.moved(order) === 1 && state !== "accepted" && this.#isClear(order))
      this.wrong.push(`${nameOf(order)} stands in the statement, and is ${state} after it was looked up`);
    if (this.#isShownToBeBack(order)) await this.#seeItBack(order);
    if (state === "unknown") await this.decide(order);
    await this.order(order, fair);
  }

  /** A reversal that the rows show is recognised at the next look-up. */
  async #seeItBack(order: Order): Promise<void> {
    const run = await this.run(["journal", "resolve", await this.#idOf(order)], fair);
    const state = stateOf(order, await this.movements());
    // If another row of the same amount also names it, nothing is decided, and the output says so.
    const isDoubtful = run?.stdout.includes("may have been taken back") === true;
    if (state === "accepted" && !isDoubtful)
      this.wrong.push(`${nameOf(order)} is ${state} although its money is back: ${run?.stdout}`);
  }

  /** False if its rows had a fault or can be confused with another order's rows. */
  #isClear(order: Order): boolean {
    const others = this.#orders.filter((other) => other !== order);
    // If two references differ only by letter case, a person must say which is meant.
    const isSlip = others.some((other) => other.reference !== order.reference && isSpelledAs(other, order));
    return !this.#unclear.has(order) && !isSlip && !others.some((other) => isMistakenFor(other, order));
  }

  /** If two orders share a reference, a reversal that names it could belong to either. */
  #isShownToBeBack(order: Order): boolean {
    const isShared = this.#orders.some((other) => other !== order && other.reference === order.reference);
    return !isShared && this.#returned.has(order) && isTakenBack(this.town.simulator.world, order);
  }

  /** Advances the clock. */
  pass(ms: number): Promise<void> {
    this.steps.push(`${ms} ms pass`);
    return this.town.pass(ms);
  }

  /** An order with a fault in its rows, or beside them. */
  async orderUnder({ fault, isUnclear, isReturned = false }: RowTrouble, order: Order): Promise<void> {
    if (isReturned) this.#returned.add(order);
    // The fault must not affect earlier orders.
    await this.town.pass(settledAfterMs);
    const end = this.town.plan(fault);
    this.steps.push(`from now on: ${fault}`);
    if (isUnclear) for (const one of this.#orders) if (one.reference === order.reference) this.#unclear.add(one);
    await this.order(order, this.accident());
    // Collections and payouts are booked after they are answered.
    await this.town.pass(settledAfterMs);
    await this.audit();
    // A fault that hides a row lasts until the end.
    if (isUnclear) end();
  }

  /** Places an order, possibly again. */
  async order(order: Order, circumstances: Circumstances): Promise<void> {
    const before = stateOf(order, await this.movements());
    const movedBefore = this.moved(order);
    const run = await this.run(order.words, circumstances);
    const moved = this.moved(order) - movedBefore;
    if (run !== undefined) this.#judge(order, run, before, moved);
    await this.audit();
  }

  #judge(order: Order, run: Run, before: string, movedNow: number): void {
    const sentences = judge(order, run, { before, movedNow, moved: this.moved(order) });
    this.wrong.push(...sentences.map((sentence) => `${nameOf(order)}: ${sentence}`));
  }

  /** Runs a file of new and old orders in one process that may be killed, and sometimes in two at once. */
  async batch(circumstances: Circumstances): Promise<void> {
    const { draw } = this.town;
    const count = draw.integer(1, 4);
    const orders = new Set(
      Array.from({ length: count }, () => (draw.integer(0, 2) === 0 ? this.oldOrder() : this.newOrder())),
    );
    const file = await this.town.save(sheetOf([...orders]));
    const callback = ["--callback-url", "https://hooks.example/partner"];
    const words = ["batch", "run", file, ...callback, "--yes", "--json", "--concurrency", draw.pick(["1", "3"])];
    const known = await this.movements();
    const before = [...orders].map((order) => ({ order, state: stateOf(order, known), moved: this.moved(order) }));
    const { weather } = circumstances;
    const runs = await Promise.all([
      this.run(words, circumstances),
      ...(draw.integer(1, 4) === 1 ? [this.run(words, { weather })] : []),
    ]);
    const moved = before.reduce((sum, { order, moved }) => sum + this.moved(order) - moved, 0);
    for (const run of runs) {
      if (run === undefined) continue;
      const wrong = (sentence: string) => this.wrong.push(`a batch of ${count}: exit ${run.exit}, ${sentence}`);
      if (!documented.has(run.exit) && run.exit !== 8) wrong(run.stderr);
      if (runs.length === 1 && harmless.has(run.exit) && moved > 0) wrong("and money moved");
      const paying = before.filter(({ order }) => !lateKinds.has(order.kind));
      if (run.exit === 0 && paying.some(({ order }) => this.moved(order) !== 1)) wrong("and not all money moved");
    }
    for (const { order, state, moved } of before)
      if (isTaken.has(state) && this.moved(order) > moved)
        this.wrong.push(`${nameOf(order)} was ${state}, and a batch moved it again`);
    await this.audit();
  }

  async conflict(order: Order): Promise<void> {
    const before = stateOf(order, await this.movements());
    // An order that moved nothing may be placed differently; then it is another order, which this play does not have.
    if (!isTaken.has(before) || order.words.join(" ") === order.otherWords.join(" ")) return;
    const run = await this.run(order.otherWords, fair);
    if (run?.exit !== 2) this.wrong.push(`${nameOf(order)}: another amount ended with ${run?.exit}`);
    await this.audit();
  }

  /** Two processes at once under any conditions; one of them may be killed. */
  async race(order: Order): Promise<void> {
    const before = stateOf(order, await this.movements());
    const movedBefore = this.moved(order);
    const { weather, diesAt } = this.accident();
    const runs = await Promise.all([this.run(order.words, { weather }), this.run(order.words, { weather, diesAt })]);
    const moved = this.moved(order) - movedBefore;
    // One process may not know what the other did; if nothing moved, both say so.
    for (const run of runs) if (run !== undefined && moved === 0) this.#judge(order, run, before, moved);
    await this.audit();
  }

  async resolveAll(circumstances: Circumstances): Promise<void> {
    const run = await this.run(["journal", "resolve", "--all", "--json"], circumstances);
    const isPending = (await this.movements()).some(({ state }) => state === "pending");
    if (run !== undefined && !documented.has(run.exit) && !(run.exit === 7 && isPending))
      this.wrong.push(`resolve ended with ${run.exit}: ${run.stderr}`);
    await this.audit();
  }

  /** A person who knows the outcome waits and decides, a second time if the statement contradicts. */
  async decide(order: Order): Promise<void> {
    if (stateOf(order, await this.movements()) !== "unknown") return;
    await this.town.pass(hourMs);
    const word = this.moved(order) === 1 ? "accepted" : "refused";
    const words = ["journal", "resolve", await this.#idOf(order), "--as", word, "--evidence", "by phone"];
    const run = await this.run(words, fair);
    const last = run?.exit === 2 && word === "refused" ? await this.run([...words, "--against-statement"], fair) : run;
    if (last?.exit !== 0)
      this.wrong.push(`${nameOf(order)}: a person's ${word} ended with ${last?.exit}: ${last?.stderr}`);
    await this.audit();
  }

  /** Runs a command line. @returns undefined if the process was killed */
  async run(words: readonly string[], circumstances: Circumstances): Promise<Run | undefined> {
    const run = await this.town.run(words, circumstances);
    this.#known = undefined;
    const { fault = "", diesAt, weather } = circumstances;
    const odds = Object.entries(weather).flatMap(([name, percent]) => (percent > 0 ? [`${name} ${percent} %`] : []));
    const how = [fault, diesAt === undefined ? "" : `dies at ${diesAt}`, ...odds].filter(Boolean).join(", ");
    this.steps.push(`${words.join(" ")} (${how || "fair"}): ${run?.exit ?? "killed"}`);
    return run;
  }

  async audit(): Promise<void> {
    const world = this.town.simulator.world;
    const evidence = { world, movements: await this.movements(), orders: this.#orders, forgotten: this.#forgotten };
    for (const order of this.#forgotten) if (isTrue(order, evidence)) this.#forgotten.delete(order);
    this.wrong.push(...audit(evidence));
  }

  /** Orders with an outcome unknown to the journal. */
  get forgotten(): readonly Order[] {
    return [...this.#forgotten];
  }

  /** Finds what another journal has lost. @returns orders that the previous one knew */
  async forget(): Promise<Order[]> {
    this.#known = undefined;
    const evidence = { world: this.town.simulator.world, movements: await this.movements() };
    const lost = this.#orders.filter((order) => !isTrue(order, evidence));
    const news = lost.filter((order) => !this.#forgotten.has(order));
    for (const order of lost) this.#forgotten.add(order);
    return news;
  }

  /** The orders in the journal after the last run. */
  async movements(): Promise<readonly Movement[]> {
    return (this.#known ??= await this.town.movements());
  }

  async #idOf({ kind, reference }: Order): Promise<string> {
    return (await this.movements()).find((one) => one.kind === kind && one.reference === reference)?.id ?? "";
  }

  /** How often money moved for this order. */
  moved(order: Order): number {
    return timesMoved(this.town.simulator.world, order);
  }

  newOrder(): Order {
    const order = drawOrder(this.town.draw, this.#orders, this.#awkwardness);
    this.#orders.push(order);
    return order;
  }

  /** The same order again, under this reference or a new one. @returns it, or an existing equal order */
  sameOrder(order: Order, reference?: string): Order {
    const made = reference === undefined ? twinOf(order, this.#orders) : under(reference, order);
    const known = this.#orders.find((one) => one.kind === made.kind && one.reference === made.reference);
    if (known === undefined) this.#orders.push(made);
    return known ?? made;
  }

  oldOrder(): Order {
    const { draw } = this.town;
    return this.#orders[draw.integer(0, this.#orders.length - 1)] ?? this.newOrder();
  }

  /** Usually something goes wrong, sometimes nothing. */
  accident(): Circumstances {
    const { draw } = this.town;
    const percent = () => draw.pick([0, 0, 0, 10, 30]);
    // When statements decide, a flipped bit could turn one order's row into another's; TLS prevents that.
    const flipped = this.#awkwardness.hasUpheavals === true ? 0 : percent();
    const weather = { unsent: percent(), lost: percent(), cut: percent(), flipped, interrupted: percent() };
    const fault = draw.integer(1, 100) <= 25 ? draw.pick(serviceFaults) : undefined;
    const diesAt = draw.integer(1, 100) <= 25 ? draw.integer(1, lifeMaxSteps) : undefined;
    return { weather, fault: fault === undefined ? undefined : `${fault}=money:1`, diesAt };
  }
}

function isSpelledAs(one: Order, other: Order): boolean {
  return one.reference.toLowerCase() === other.reference.toLowerCase();
}

function nameOf({ kind, reference }: Order): string {
  return `${kind} ${reference}`;
}
