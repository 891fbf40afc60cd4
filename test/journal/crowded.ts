import { openPlace, orderOf } from "./orders.ts";
import type { Place } from "./orders.ts";

/** How many orders share a commit. */
const groupSize = 1_000;

/** A journal with so many answered orders, like the one of a year of work. */
export async function fill(place: Place, count: number): Promise<void> {
  const journal = await openPlace(place);
  for (let done = 0; done < count; done += groupSize) {
    const group = Array.from({ length: Math.min(groupSize, count - done) }, (_, index) => done + index);
    const openings = await Promise.all(
      group.map((index) => journal.open(orderOf({ reference: `R-${index}`, request: request(index) }))),
    );
    await Promise.all(
      openings.map((opening, index) => {
        if (opening.outcome === "exists") throw new Error(`R-${done + index} exists already`);
        const response = JSON.stringify({ transactionId: `T-${done + index}`, narration: "x".repeat(200) });
        return opening.claim.settle({ state: "accepted", evidence: "statement", response });
      }),
    );
  }
  await journal.close();
}

function request(index: number): string {
  return JSON.stringify({ amount: 5000 + index, from: "1042", to: "1043", description: `salary [R-${index}]` });
}
