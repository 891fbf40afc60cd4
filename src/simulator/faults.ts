import type { RequestHandler } from "../host/server/listener.ts";
import type { Clock } from "../host/host.ts";
import type { JsonObject } from "../values/json.ts";
import type { Booking } from "./books/booking.ts";
import type { Job, PostJob } from "./scheduling/job.ts";
import type { Fault } from "./fault.ts";
import { parseFault } from "./fault.ts";
import { applyToAnswer } from "./faults/answer.ts";
import { applyToCallback, callbackName } from "./faults/callback.ts";
import { HeldAnswer } from "./faults/held-answer.ts";
import type { Hit } from "./faults/kinds.ts";
import { mergeOrderRows, rebookings, faultyRow, shownStatement } from "./faults/rows.ts";
import { readOnce } from "./read-once.ts";
import type { ServedPlace } from "./routes.ts";
import { findRoute } from "./routes.ts";
import type { RowChange } from "./books/row.ts";
import type { RuleContext, StatementName } from "./rules/rule.ts";

/** A fault, and how many candidates it has had so far. */
interface Planned {
  readonly fault: Fault;
  met: number;
}

/** The target of a fault: an endpoint by its name with hyphens, and whether it moves money. */
interface Aim {
  readonly endpoint: string;
  readonly movesMoney: boolean;
}

/** A fault for a booked row, and the time when the row was booked. */
interface MarkedRow {
  readonly planned: Planned;
  readonly bookedAtMs: number;
}

/** What faults need to know about the server. */
export interface Counter {
  readonly place: ServedPlace;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The rules' context at this moment. */
  readonly context: () => RuleContext;
}

/**
 * The faults of a simulator. More can be added while it runs; each counts from then on. Several faults can hit the same
 * request, callback, row or statement.
 */
export class Faults {
  readonly #planned = new Set<Planned>();
  readonly #held = new Set<HeldAnswer>();
  readonly #marked = new WeakMap<JsonObject, MarkedRow[]>();
  readonly #awaited = new Map<string, PromiseWithResolvers<void>>();

  constructor(faults: readonly Fault[] = []) {
    for (const fault of faults) this.add(fault);
  }

  /** Returns a function that removes the fault again. */
  add(fault: Fault): () => void {
    const planned = { fault, met: 0 };
    this.#planned.add(planned);
    return () => void this.#planned.delete(planned);
  }

  /** Holds back the next answer of an endpoint until it is released; its request is processed. */
  hold(endpoint: string): HeldAnswer {
    const held = new HeldAnswer(endpoint);
    this.#held.add(held);
    return held;
  }

  /** Removes all faults, and releases what was held back. */
  clear(): void {
    this.#planned.clear();
    for (const held of this.#held) held.release();
    this.#held.clear();
  }

  /** Passes requests and their answers through the faults. */
  around(answer: RequestHandler, { place, ...counter }: Counter): RequestHandler {
    return async (request) => {
      const endpoint = findRoute(request.method, request.target, place)?.endpoint;
      if (endpoint === undefined) return answer(request);
      const aim = { endpoint: hyphenated(endpoint.name), movesMoney: endpoint.effect === "moves money" };
      const called = (reference: string) => this.#called(reference);
      let faulty = answer;
      for (const { fault } of outermostLast(this.#hitting("requests", aim)))
        faulty = applyToAnswer(fault, faulty, { ...counter, endpoint: aim.endpoint, called });
      const held = [...this.#held].find((one) => one.takes(aim.endpoint));
      return held === undefined ? faulty(readOnce(request)) : held.after(faulty(readOnce(request)));
    };
  }

  /** Applies the faults to callbacks and webhooks before they are scheduled; other jobs are unchanged. */
  later(job: Job): readonly Job[] {
    const name = job.kind === "post" && job.failures === 0 ? callbackName(job) : undefined;
    if (job.kind !== "post" || name === undefined) return [job];
    let jobs = [job];
    for (const { fault } of this.#hitting("callbacks", { endpoint: name.endpoint, movesMoney: true }))
      jobs = jobs.flatMap((each) => applyToCallback(fault, each));
    return jobs;
  }

  /** Called when a callback was sent, accepted or not. */
  posted(job: PostJob): void {
    const reference = callbackName(job)?.reference ?? "";
    this.#awaited.get(reference)?.resolve();
    this.#awaited.delete(reference);
  }

  /** Called when an order was booked: faults book their own rows now, or schedule them. */
  booked(booking: Booking, rows: readonly JsonObject[], context: RuleContext): void {
    const { world, nowMs } = context;
    for (const planned of this.#hitting("rows", { endpoint: booking.endpoint, movesMoney: true })) {
      const { fault } = planned;
      if (fault.name === "merge-row") mergeOrderRows(booking, rows, world);
      for (const row of rows) this.#marked.set(row, [...(this.#marked.get(row) ?? []), { planned, bookedAtMs: nowMs }]);
      for (const job of rebookings(fault, booking, nowMs, world)) {
        if (job.atMs > nowMs) context.later(job);
        else world.bookAgain(booking, job.way, job.look, nowMs);
      }
    }
  }

  /** The filter for a statement's rows. */
  served(endpoint: StatementName, nowMs: number): RowChange {
    const hitting = this.#hitting("statements", { endpoint, movesMoney: false });
    return (rows) => {
      if (this.#planned.size === 0) return rows;
      const shown = Array.from(rows, (row) => this.#shown(row, nowMs)).flat();
      return hitting.reduce((left: readonly JsonObject[], { fault }) => shownStatement(fault, left), shown);
    };
  }

  #shown(row: JsonObject, nowMs: number): readonly JsonObject[] {
    const marks = (this.#marked.get(row) ?? []).filter(({ planned }) => this.#planned.has(planned));
    return marks.reduce(
      (rows: readonly JsonObject[], { planned, bookedAtMs }) =>
        rows.flatMap((one) => faultyRow(planned.fault, one, bookedAtMs, nowMs)),
      [row],
    );
  }

  #called(reference: string): Promise<void> {
    const awaited = this.#awaited.get(reference) ?? Promise.withResolvers<void>();
    this.#awaited.set(reference, awaited);
    return awaited.promise;
  }

  #hitting(what: Hit, aim: Aim): readonly Planned[] {
    return [...this.#planned].filter((planned) => meets(planned, what, aim));
  }
}

/** Counts a candidate for the fault; true where the fault hits it. */
function meets(planned: Planned, what: Hit, { endpoint, movesMoney }: Aim): boolean {
  const { name, hits, target, nth } = planned.fault;
  if (hits !== what) return false;
  const isAmong = target === "any" || (target === "money" && movesMoney);
  if (target !== endpoint && (endpoint === "webhook" || !isAmong)) return false;
  planned.met += 1;
  return name === "reorder-callback" && nth === undefined
    ? planned.met % 2 === 1
    : (nth ?? planned.met) === planned.met;
}

/** Look-alikes come last, outermost: their row is booked even where another fault stops the request. */
function outermostLast(planned: readonly Planned[]): readonly Planned[] {
  const isLookAlike = ({ fault }: Planned) => fault.name === "look-alike";
  return [...planned.filter((one) => !isLookAlike(one)), ...planned.filter(isLookAlike)];
}

/**
 * The faults of a command line.
 * @throws {Failure} usage
 */
export function readFaults(typed: readonly string[] = []): Faults {
  return new Faults(typed.map((text) => parseFault(text, "--fault")));
}

function hyphenated(name: string): string {
  return name.replaceAll(" ", "-");
}
