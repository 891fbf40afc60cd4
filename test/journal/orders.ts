import type { Host } from "../../src/host/host.ts";
import type { ProcessFate } from "../../src/host/process/process-mark.ts";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import type { Claim, Journal, Opening, Order } from "../../src/journal/journal.ts";
import type { World } from "../memory-host.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";

export const deadlineMs = 60_000;

export function orderOf(changes: Partial<Order> = {}): Order {
  return {
    scope: "simulator http://127.0.0.1:8080 ACC-1",
    kind: "transfer",
    reference: "INV-1",
    request: `{"amount":5000,"from":"1042","to":"1043","description":"rent [INV-1]"}`,
    deadlineMs,
    ...changes,
  };
}

export function claimOf(opening: Opening): Claim {
  if (opening.outcome === "claimed") return opening.claim;
  throw new Error(`The order exists already: ${opening.movement.state}`);
}

/** An order of that reference, sent and still without an outcome. */
export async function sendOrder(journal: Journal, reference: string): Promise<Claim> {
  const claim = claimOf(await journal.open(orderOf({ reference })));
  await send(claim, `request-${reference}`);
  return claim;
}

/** What happens between an order and its first byte, in whichever of the two steps the journal writes. */
export async function send(claim: Claim, requestId: string): Promise<void> {
  await claim.beforeDialling(requestId);
  claim.beforeFirstByte(requestId);
}

/** Processes that a test starts and ends as it likes, all inside this one. */
export interface Processes {
  /** A host for a process of that name, which runs until it is ended. */
  start(name: string, world?: World): ReturnType<typeof memoryHost>;
  end(name: string): void;
  /** From now on its fate is unclear. */
  lose(name: string): void;
}

export function fakeProcesses(): Processes {
  const fates = new Map<string, ProcessFate>();
  let seed = 0;
  return {
    start(name, world = {}) {
      fates.set(name, "running");
      seed += 1;
      const processFate = (mark: string) => fates.get(mark) ?? "unclear";
      return memoryHost({ seed, ...world, machine: { ...world.machine, processMark: () => name, processFate } });
    },
    end: (name) => void fates.set(name, "ended"),
    lose: (name) => void fates.set(name, "unclear"),
  };
}

export interface Place {
  readonly stateFolder: string;
  readonly configFolder: string;
}

export function newPlace(): Place {
  const folder = temporaryFolder();
  return { stateFolder: `${folder}/state`, configFolder: `${folder}/config` };
}

/** Opens the journal of a place, and collects the warnings for the person. */
export async function openPlace(
  place: Place,
  options: { readonly host?: Host; readonly use?: "read" | "write" } = {},
): Promise<Journal & { readonly warnings: readonly string[] }> {
  const warnings: string[] = [];
  const journal = await openJournal(options.host ?? memoryHost(), {
    ...place,
    version: "1.2.3",
    use: options.use ?? "write",
    warn: (line) => void warnings.push(line),
  });
  return Object.assign(journal, { warnings });
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
