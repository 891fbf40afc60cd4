import type { Run } from "../partner.ts";
import type { Operator } from "./operator.ts";
import type { Order } from "./orders.ts";
import type { Post, Premises } from "./premises.ts";
import type { TownDisk } from "./town-disk.ts";
import type { Circumstances } from "./town.ts";
import { fair } from "./town.ts";

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const settledAfterMs = 2000;
/** A backup can be older than the journal. */
const older = /older than what was sent from here|is missing, though there was one/;
const elsewhere = /(?:has no order|doesn't have all orders) of this account: they are in/;

const noRows = /The statements show no row since/;

/** The journal's folder at some time. */
interface Backup {
  readonly disk: TownDisk;
  readonly folder: string;
  /** How many orders the service had booked at that time. */
  readonly booked: number;
}

/**
 * The person in charge of the journal and the machines. Whenever their changes can affect money, the program must
 * notice: it sends nothing and says what to do, and they do it.
 */
export class Custodian {
  readonly operator: Operator;
  readonly #premises: Premises;
  #backups: Backup[] = [];
  #backupsMade = 0;
  /** True if the last change lost the record of an order for which money moved. */
  #hasLostMoney = false;
  /** True if only their own discipline keeps them from ordering before the statements were read. */
  #isTrusted = false;
  /** Machines used before, with an older state of the journal. */
  #left: Post[] = [];

  constructor(operator: Operator) {
    const { premises } = operator.town;
    if (premises === undefined) throw new Error("Here everything stays in its place");
    this.operator = operator;
    this.#premises = premises;
  }

  /** Like a backup or a snapshot. */
  async backUp(): Promise<Backup> {
    const { disk, post } = this.#premises;
    this.#backupsMade += 1;
    const backup = { disk, folder: `/backups/${this.#backupsMade}`, booked: this.#booked };
    await disk.copy(post.stateFolder, backup.folder);
    this.#backups.push(backup);
    this.operator.steps.push(`backup ${backup.folder}`);
    return backup;
  }

  /** Restores a backup: an old one, or a new one followed by some orders. */
  async restore(): Promise<void> {
    const { operator } = this;
    const [first, ...more] = this.#backups;
    if (first !== undefined && this.#isChosen()) return this.#putBack(operator.town.draw.pick([first, ...more]));
    const backup = await this.backUp();
    const count = operator.town.draw.integer(1, 3);
    for (let index = 0; index < count; index += 1) await operator.order(this.#anyOrder(), operator.accident());
    return this.#putBack(backup);
  }

  /** Replaces the journal's file or the whole folder. */
  async #putBack({ disk, folder, booked }: Backup): Promise<void> {
    const { operator } = this;
    const what = operator.town.draw.pick(["", "/journal.db"]);
    const { stateFolder } = this.#premises.post;
    await this.#settle();
    this.#premises.disk.remove(stateFolder + what);
    await disk.copy(folder + what, stateFolder + what, this.#premises.disk);
    operator.steps.push(`${folder}${what} is put back`);
    const lost = await operator.forget();
    this.#hasLostMoney = this.#booked > booked;
    if (lost.length > 0) {
      await this.#expectRefusal(older);
      await this.#expectExit(["journal", "verify"], 3, older);
      return this.#recover();
    }
    const verified = await operator.run(["journal", "verify"], fair);
    if (verified?.exit === 3) await this.#recover();
  }

  /** The journal is deleted. */
  async lose(): Promise<void> {
    if (!(await this.#hasJournal())) return;
    await this.#settle();
    this.#premises.disk.remove(this.#premises.post.stateFolder);
    this.operator.steps.push("the journal is gone");
    await this.#forgetAll();
    await this.#expectRefusal(/is missing, though there was one/);
    await this.#recover();
    this.#backups = [];
  }

  /** The journal exists in two places on one machine. */
  async copy(): Promise<void> {
    if (!(await this.#hasJournal())) return;
    const { disk, post } = this.#premises;
    const copy = { ...post, stateFolder: this.#premises.newFolder() };
    await disk.copy(post.stateFolder, copy.stateFolder);
    await this.#use(copy);
    await this.#expectRefusal(/is a copy: the original is in/);
    if (this.#isChosen()) return this.#use(post);
    await this.#takeOver();
    await this.#use(post);
    await this.#expectRefusal(/is a copy: the original is in/);
    return this.#use(copy);
  }

  /** The journal's folder is renamed. */
  async move(): Promise<void> {
    if (!(await this.#hasJournal())) return;
    const { disk, post } = this.#premises;
    const moved = { ...post, stateFolder: this.#premises.newFolder() };
    await disk.copy(post.stateFolder, moved.stateFolder);
    disk.remove(post.stateFolder);
    await this.#use(moved);
    await this.operator.order(this.#anyOrder(), fair);
    await this.#use(post);
    await this.#expectRefusal(elsewhere);
    return this.#use(moved);
  }

  /** Another, empty state folder is configured. */
  async nameSecondFolder(): Promise<void> {
    if (!(await this.#hasJournal())) return;
    const { post } = this.#premises;
    const second = { ...post, stateFolder: this.#premises.newFolder() };
    await this.#settle();
    await this.#use(second);
    await this.#expectRefusal(elsewhere);
    if (this.#isChosen()) return this.#use(post);
    await this.#forgetAll();
    await this.#recover();
    await this.#use(post);
    await this.#expectRefusal(elsewhere);
    await this.#use(second);
    this.#backups = [];
  }

  /** Another machine gets everything of this one. */
  async clone(): Promise<void> {
    if (!(await this.#hasJournal())) return;
    const { post } = this.#premises;
    const clone = await this.#premises.clone();
    await this.#use(clone);
    await this.#expectRefusal(/is a clone: another machine used it last/);
    if (this.#isChosen()) return this.#use(post);
    await (this.#isChosen() ? this.#takeOver() : this.#recover());
    this.#left.push(post);
  }

  /** A machine is used again after another took over: the instructions say to read the statements first. */
  async goBack(): Promise<void> {
    const { draw } = this.operator.town;
    const [first, ...more] = this.#left;
    if (first === undefined) return this.clone();
    const other = draw.pick([first, ...more]);
    const { post } = this.#premises;
    await this.#settle();
    await this.#use(other);
    this.#isTrusted = true;
    this.#left = [...this.#left.filter((one) => one !== other), post];
    await this.#forgetAll();
    await this.#recover();
    this.#isTrusted = false;
  }

  /** The account gets another label, or its address another spelling. */
  async rename(): Promise<void> {
    if (!(await this.#hasJournal())) return;
    const names = this.#premises.rename(this.operator.town.draw);
    this.operator.steps.push(`the account is called ${names}`);
    await this.operator.order(this.operator.oldOrder(), fair);
  }

  get #booked(): number {
    return this.operator.town.simulator.world.bookings.size;
  }

  async #forgetAll(): Promise<void> {
    await this.operator.forget();
    this.#hasLostMoney = this.operator.forgotten.some((order) => this.operator.moved(order) > 0);
  }

  /** A collection is booked after the subscriber has paid. */
  #settle(): Promise<void> {
    return this.operator.town.pass(settledAfterMs);
  }

  async #use(post: Post): Promise<void> {
    this.#premises.post = post;
    this.operator.steps.push(`from now on: machine ${post.machine}, ${post.stateFolder}`);
    await this.operator.forget();
  }

  /** True once an order was recorded: from then on it is known where the account's orders are. */
  async #hasJournal(): Promise<boolean> {
    return (await this.operator.movements()).length > 0;
  }

  async #expectRefusal(reason: RegExp): Promise<void> {
    const order = this.#anyOrder();
    const movedBefore = this.operator.moved(order);
    const quiet = this.operator.town.draw.pick([[], ["--quiet"]]);
    await this.#expectExit([...order.words, ...quiet], 3, reason);
    if (this.operator.moved(order) !== movedBefore) this.operator.wrong.push("and money moved");
    await this.operator.audit();
  }

  async #expectExit(words: readonly string[], exit: number, reason: RegExp): Promise<void> {
    const run = await this.operator.run(words, fair);
    if (run?.exit !== exit || !reason.test(run.stderr))
      this.operator.wrong.push(`${words.join(" ")} ended with ${run?.exit}, not ${String(reason)}: ${run?.stderr}`);
  }

  /** Reads the statements under any conditions until all are read, possibly twice at once or once more. */
  async #recover(): Promise<void> {
    const words = ["journal", "recover", "--json"];
    await this.#untilDone(words);
    const again = await this.operator.run(words, fair);
    if (again?.exit !== 0 || !/"new": 0\b/.test(again.stdout))
      this.operator.wrong.push(`recover found something new once more: ${again?.stdout}${again?.stderr}`);
    await this.#expectSending();
    // References seen in statements are known for longer than the day during which statements are read before orders.
    const { draw } = this.operator.town;
    if (draw.integer(1, 3) > 1) return;
    await this.operator.pass(draw.pick([1, 2, 5, 40]) * dayMs + hourMs);
    const [first, ...more] = this.operator.forgotten;
    if (first !== undefined) await this.operator.order(draw.pick([first, ...more]), this.operator.accident());
  }

  async #takeOver(): Promise<void> {
    await this.#untilDone(["journal", "move"]);
    await this.#expectSending();
  }

  async #untilDone(words: readonly string[]): Promise<void> {
    const tried: (Run | undefined)[] = [];
    for (const circumstances of [this.operator.accident(), this.operator.accident(), fair]) {
      tried.push(...(await this.#runBeside(words, circumstances)));
      await this.operator.audit();
      if (tried.at(-1)?.exit === 0) return;
    }
    const isEmpty = tried.some((run) => run !== undefined && noRows.test(run.stderr));
    // They know when nothing moved.
    await this.#expectExit(isEmpty && !this.#hasLostMoney ? [...words, "--allow-empty"] : words, 0, /(?:)/);
  }

  /** Runs it, possibly with a second process that does the same or sends an order. */
  async #runBeside(words: readonly string[], circumstances: Circumstances): Promise<(Run | undefined)[]> {
    const { operator } = this;
    const run = () => operator.run(words, circumstances);
    const beside = operator.town.draw.integer(1, 8);
    if (beside > (this.#isTrusted ? 1 : 2)) return [await run()];
    const order = this.#anyOrder();
    const other = beside === 1 ? run() : operator.run(order.words, fair);
    const [own] = await Promise.all([run(), other]);
    return [own];
  }

  /** Orders can be sent again. */
  async #expectSending(): Promise<void> {
    await this.operator.audit();
    await this.operator.order(this.#anyOrder(), fair);
  }

  #anyOrder(): Order {
    return this.#isChosen() ? this.operator.oldOrder() : this.operator.newOrder();
  }

  #isChosen(): boolean {
    return this.operator.town.draw.integer(0, 1) === 1;
  }
}
