import type { Answer } from "../host/listener.ts";
import type { Clock } from "../host/host.ts";
import { applyToAnswer } from "./answer-fault.ts";
import { applyToCallback, targetOfCallback } from "./callback-fault.ts";
import type { Chore } from "./chore.ts";
import type { Fault } from "./fault.ts";
import { faultKinds, parseFault } from "./fault.ts";
import type { Environment } from "./routes.ts";
import { findRoute } from "./routes.ts";

/** A fault, and how many it could have hit so far. */
interface Planned {
  readonly fault: Fault;
  met: number;
}

/** What a fault is aimed at: an endpoint by its name with hyphens, and whether it moves money. */
interface Aim {
  readonly endpoint: string;
  readonly movesMoney: boolean;
}

/**
 * All that goes wrong at a simulator. Faults can be added while it runs; each counts from then on. Several that hit the
 * same request or callback all do.
 */
export class Faults {
  readonly #planned: Planned[] = [];

  constructor(faults: readonly Fault[] = []) {
    for (const fault of faults) this.add(fault);
  }

  add(fault: Fault): void {
    this.#planned.push({ fault, met: 0 });
  }

  /** From now on everything goes well. */
  clear(): void {
    this.#planned.length = 0;
  }

  /** Requests and their answers, through the faults. */
  around(answer: Answer, environment: Environment, clock: Clock, signal: AbortSignal): Answer {
    return (request) => {
      const endpoint = findRoute(request.method, request.target, environment)?.endpoint;
      if (endpoint === undefined) return answer(request);
      const aim = { endpoint: hyphenated(endpoint.name), movesMoney: endpoint.effect === "moves money" };
      let faulty = answer;
      for (const fault of this.#hitting("requests", aim))
        faulty = applyToAnswer(fault, faulty, { endpoint: aim.endpoint, clock, signal });
      return faulty(request);
    };
  }

  /**
   * What becomes of something that is to be done later: callbacks and webhooks through the faults, all else as it is.
   */
  later(chore: Chore): readonly Chore[] {
    const endpoint = chore.kind === "post" && chore.failures === 0 ? targetOfCallback(chore.body) : undefined;
    if (chore.kind !== "post" || endpoint === undefined) return [chore];
    let chores = [chore];
    for (const fault of this.#hitting("callbacks", { endpoint, movesMoney: true }))
      chores = chores.flatMap((each) => applyToCallback(fault, each));
    return chores;
  }

  #hitting(what: "requests" | "callbacks", aim: Aim): readonly Fault[] {
    return this.#planned.filter((planned) => meets(planned, what, aim)).map(({ fault }) => fault);
  }
}

/** Counts it when it is one that the fault is meant for, and says whether it is hit. */
function meets(planned: Planned, what: "requests" | "callbacks", { endpoint, movesMoney }: Aim): boolean {
  const { name, target, nth } = planned.fault;
  if (faultKinds.find((kind) => kind.name === name)?.hits !== what) return false;
  const isAmong = target === "any" || (target === "money" && movesMoney);
  if (target !== endpoint && (endpoint === "webhook" || !isAmong)) return false;
  planned.met += 1;
  return name === "reorder-callback" && nth === undefined
    ? planned.met % 2 === 1
    : (nth ?? planned.met) === planned.met;
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
