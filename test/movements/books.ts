import { onTestFinished } from "vitest";
import { readFaults } from "../../src/simulator/faults.ts";
import { environmentFor } from "../../src/simulator/ready.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import type { World } from "../../src/simulator/world.ts";
import { memoryHost } from "../memory-host.ts";
import type { Kind } from "./kinds.ts";

/** Spec 4.6, 4.8: these read by POST. */
const reads = /\/wallet\/(statement|balance)$/;

/** A service whose books a test can read: the truth about money, whatever the program or the service says. */
export interface Books {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** How many requests to move money have arrived. */
  arrived(): number;
  /** How often money moved under the reference. */
  moved(kind: Kind, reference: string): Promise<number>;
}

/** A simulator of the test's own. Its callbacks go nowhere. */
export async function openBooks(): Promise<Books> {
  const host = memoryHost();
  let arrived = 0;
  const listen: typeof host.listen = (options, answer) =>
    host.listen(options, (request) => {
      if (request.method === "POST" && !reads.test(request.target)) arrived += 1;
      return answer(request);
    });
  const simulator = await startSimulator(
    { ...host, listen },
    { extensions: true, faults: readFaults(["drop-callback=any"]) },
  );
  onTestFinished(() => simulator.stop());
  return {
    environment: environmentFor(simulator),
    secrets: [simulator.secretKey, simulator.accessToken, simulator.webhookKey],
    arrived: () => arrived,
    async moved(kind, reference) {
      await simulator.idle();
      return movedIn(simulator.world, kind, reference);
    },
  };
}

/** Rows in the statement of the paying or receiving wallet; a remittance has no row there. */
function movedIn(world: World, { kind }: Kind, reference: string): number {
  if (kind === "remit") return world.remittances.has(reference) ? 1 : 0;
  const wallet = kind === "collect" ? world.collectionWallet : world.wallet("9000112233");
  const isMeant = (text: unknown) =>
    text === reference || (typeof text === "string" && text.endsWith(` [${reference}]`));
  // The row of a payout has the service's id instead of our reference.
  const paid = kind === "payout" ? world.payouts.get(reference)?.transactionId : undefined;
  const rows = wallet?.entries.filter(
    ({ tranRefNo, narration }) =>
      isMeant(tranRefNo) || isMeant(narration) || (paid !== undefined && tranRefNo === paid),
  );
  return rows?.length ?? 0;
}
