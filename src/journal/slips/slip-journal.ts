import type { OrderTrail } from "../history/trail.ts";
import type { Host } from "../../host/host.ts";
import { reasonOf } from "../../storage/failures.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import type {
  Claim,
  OutcomeDecision,
  Journal,
  MovementFilter,
  Opening,
  Order,
  Resolution,
  SeenOrder,
  Settlement,
} from "../journal.ts";
import { issue } from "../issued.ts";
import { ClaimLost, OutcomeUnrecorded } from "../claim-errors.ts";
import type { Movement, MovementKey } from "../movement.ts";
import type { Slip } from "./slip.ts";
import { holdingSent } from "./held.ts";
import type { KeptSlip, Warn } from "./entering.ts";
import { enterSlips, noteSlips } from "./entering.ts";
import { SlipFolder } from "./folder.ts";
import { SlipKeeper } from "./keeping.ts";
import { PassThroughJournal } from "./pass-through-journal.ts";
import { openStates, withSlip } from "./view.ts";
import { isNoMovement } from "../failures.ts";

export interface SlipOptions {
  readonly host: Pick<Host, "clock" | "files" | "ids" | "machine" | "stderr" | "signal" | "giveUp">;
  /** The folder of the slips. */
  readonly folder: string;
  readonly use: "read" | "write";
  readonly warn: Warn;
}

/**
 * Wraps a journal so that no known outcome is lost: one that it cannot record is left on a slip in the state folder,
 * shown as if it were in the journal, and entered by the next run that writes.
 */
export async function withSlips(journal: Journal, { host, folder, use, warn }: SlipOptions): Promise<Journal> {
  const slips = new SlipFolder(host, folder);
  let unknown: readonly KeptSlip[] = [];
  try {
    unknown = await (use === "write" ? enterSlips : noteSlips)(journal, slips, warn);
    if (use === "write") await slips.reserve();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    await warn(`Whether outcomes wait in ${namePath(folder)} cannot be seen: ${reason}.`);
  }
  return new SlipJournal(journal, slips, new SlipKeeper({ host, slips, warn }), { host, unknown });
}

/** An order that this process sends or waits for: what its slip contains, and how long to try to record its outcome. */
interface Sent {
  readonly movement: Movement;
  readonly requestId: string | undefined;
  readonly deadlineMs: number;
}

class SlipJournal extends PassThroughJournal implements Journal {
  readonly #journal: Journal;
  readonly #slips: SlipFolder;
  readonly #keeper: SlipKeeper;
  readonly #host: Pick<Host, "clock">;
  readonly #unknown: readonly KeptSlip[];
  /** The latest order: a process that waits for a callback has only one. */
  #latest: Sent | undefined;

  constructor(
    journal: Journal,
    slips: SlipFolder,
    keeper: SlipKeeper,
    { host, unknown }: { readonly host: Pick<Host, "clock">; readonly unknown: readonly KeptSlip[] },
  ) {
    super(journal);
    this.#journal = journal;
    this.#slips = slips;
    this.#keeper = keeper;
    this.#host = host;
    this.#unknown = unknown;
  }

  /** None while outcomes wait: an index would not know their ids. */
  async trail(): Promise<OrderTrail | undefined> {
    return (await this.#waiting()).length === 0 ? this.#journal.trail() : undefined;
  }

  async open(order: Order): Promise<Opening> {
    const opening = await this.#journal.open(holdingSent(order, this.#unknown));
    if (opening.outcome === "exists") {
      const movement = await this.#shown(opening.movement);
      this.#latest ??= { movement, requestId: undefined, deadlineMs: order.deadlineMs };
      return { ...opening, movement };
    }
    return { ...opening, claim: this.#keepingOutcome(opening.claim, order.deadlineMs) };
  }

  /** Where the journal can't be read, this process knows the outcomes that it has not recorded yet. */
  async read(id: string): Promise<Movement | undefined> {
    try {
      const found = await this.#journal.read(id);
      return found && (await this.#shown(found));
    } catch (error) {
      const slips = await this.#waiting();
      if (this.#latest?.movement.id !== id || !slips.some(({ movement }) => movement === id)) throw error;
      return withSlip(this.#latest.movement, slips);
    }
  }

  async find(key: MovementKey): Promise<Movement | undefined> {
    const found = await this.#journal.find(key);
    return found && this.#shown(found);
  }

  async findAll(scope: string, keys: readonly Omit<MovementKey, "scope">[]): Promise<Movement[]> {
    return this.#allShown(await this.#journal.findAll(scope, keys));
  }

  async search(word: string, scope?: string): Promise<Movement[]> {
    return this.#allShown(await this.#journal.search(word, scope));
  }

  async beginningWith(start: string): Promise<Movement[]> {
    return this.#allShown(await this.#journal.beginningWith(start));
  }

  async *list(filter: MovementFilter = {}): AsyncGenerator<Movement> {
    const slips = await this.#waiting();
    if (slips.length === 0) {
      yield* this.#journal.list(filter);
      return;
    }
    const { states, limit = Infinity } = filter;
    const wider = {
      ...filter,
      holding: undefined,
      limit: undefined,
      states: states && [...new Set([...states, ...openStates])],
    };
    let count = 0;
    for await (const found of this.#journal.list(wider)) {
      const movement = withSlip(found, slips);
      if (states?.includes(movement.state) === false) continue;
      if (count >= limit) return;
      count += 1;
      yield movement;
    }
  }

  async resolve(seen: SeenOrder, decision: OutcomeDecision): Promise<Resolution> {
    try {
      await this.#enterWaiting(seen.id);
      return await this.#put(seen, decision);
    } catch (error) {
      const isHeard = decision.evidence === "callback" && error instanceof Failure && !isNoMovement(error);
      if (!isHeard || this.#latest?.movement.id !== seen.id) throw error;
      return this.#keepHeard(this.#latest, { seen, decision }, error.message);
    }
  }

  /** The same claim, whose outcome is never lost. */
  #keepingOutcome(claim: Claim, deadlineMs: number): Claim {
    let sent: Sent = { movement: claim.movement, requestId: undefined, deadlineMs };
    this.#latest = sent;
    return issue({
      movement: claim.movement,
      token: claim.token,
      beforeDialling: (requestId: string) => {
        this.#latest = sent = { ...sent, requestId };
        return claim.beforeDialling(requestId);
      },
      beforeFirstByte: (requestId: string) => claim.beforeFirstByte(requestId),
      settle: async (settlement: Settlement) => {
        const settled = claim.settle(settlement).catch((error: unknown) => {
          if (!(error instanceof OutcomeUnrecorded)) throw error;
          return this.#keepSent(sent, claim.token, settlement, error.reason);
        });
        this.#latest = { ...sent, movement: await settled };
        return this.#latest.movement;
      },
    });
  }

  async #keepSent(order: Sent, claim: string, settlement: Settlement, reason: string): Promise<Movement> {
    const { movement, requestId, deadlineMs } = order;
    const slip = { ...this.#slipOf(movement), sent: { claim, requestId, settlement } };
    const entered = await this.#keeper.keep(slip, {
      reason,
      // An order that was never sent needs no waiting: the journal will find out that nothing was sent.
      withinMs: settlement.state === "unsent" ? 0 : deadlineMs,
      enter: async () => {
        const result = await this.#journal.enter({ movement: movement.id, claim, settlement });
        return result.outcome === "entered" || result.outcome === "lost" ? result : undefined;
      },
    });
    if (entered?.outcome === "lost") throw new ClaimLost(entered.movement);
    if (entered !== undefined) return entered.movement;
    const requestIds = requestId === undefined ? movement.requestIds : [...movement.requestIds, requestId];
    return withSlip({ ...movement, requestIds }, [slip]);
  }

  async #keepHeard(
    { movement, deadlineMs }: Sent,
    { seen, decision }: { readonly seen: SeenOrder; readonly decision: OutcomeDecision },
    reason: string,
  ): Promise<Resolution> {
    const slip = { ...this.#slipOf(movement), heard: { ...decision, attempt: seen.attempt } };
    const enter = () => this.#put(seen, decision);
    const entered = await this.#keeper.keep(slip, { reason, withinMs: deadlineMs, enter });
    return entered ?? { outcome: "resolved", movement: withSlip(movement, [slip]) };
  }

  /** A callback comes once: while the order is being sent again, its word waits until the journal can record it. */
  async #put(seen: SeenOrder, decision: OutcomeDecision): Promise<Resolution> {
    const resolution = await this.#journal.resolve(seen, decision);
    if (resolution.outcome !== "in flight" || decision.evidence !== "callback") return resolution;
    throw new Failure("unavailable", "A process is sending the order again right now.");
  }

  #slipOf({ id, kind, reference }: Movement): Slip {
    return { version: 1, journal: this.id, movement: id, kind, reference, at: this.#host.clock.now() };
  }

  /** Outcomes that this order's own process left are recorded before others decide about it. */
  async #enterWaiting(id: string): Promise<void> {
    for (const { sent, movement } of await this.#waiting())
      if (movement === id && sent !== undefined) await this.#journal.enter({ ...sent, movement });
  }

  async #shown(movement: Movement): Promise<Movement> {
    const [shown = movement] = await this.#allShown([movement]);
    return shown;
  }

  /** Other processes may leave slips at any time, which only matters for open orders. */
  async #allShown(movements: readonly Movement[]): Promise<Movement[]> {
    if (!movements.some(({ state }) => openStates.includes(state))) return [...movements];
    const slips = await this.#waiting();
    return movements.map((movement) => withSlip(movement, slips));
  }

  /** Outcomes that are known and not in the journal. */
  async #waiting(): Promise<Slip[]> {
    const found = await this.#slips.find().catch(() => []);
    const waiting = [...this.#keeper.unkept];
    for (const { slip } of found) if (slip?.journal === this.id && (await this.#mayBelieve(slip))) waiting.push(slip);
    return waiting;
  }

  /**
   * A slip counts if it has the order's present claim. Where that cannot be read, nothing else of the order can be,
   * either.
   */
  async #mayBelieve({ movement, sent }: Slip): Promise<boolean> {
    if (sent === undefined) return true;
    const claim = await this.#journal.claimOf(movement).catch(() => sent.claim);
    return claim === sent.claim;
  }
}
