import type { Evidence, Movement, MovementEvent } from "./movement.ts";

/**
 * Evidence by how much it proves to a reader, the least first: anyone can say what a person or an unsigned callback
 * says.
 */
const byProof: readonly Evidence[] = ["person", "callback", "answer", "status", "statement"];

/**
 * What a state rests on: the strongest proof among all that led to it or agreed with it. The movement's own evidence
 * only says what may overrule it: a callback or a person who agrees with the service's answer replaces the answer
 * there.
 */
export function groundsOf(
  { state, evidence }: Pick<Movement, "state" | "evidence">,
  history: readonly MovementEvent[],
): Evidence | null {
  const counted = history.filter(({ step }) => step !== "contradict");
  const since = counted.slice(counted.findLastIndex(({ to }) => to !== state) + 1);
  const said = new Set([evidence, ...since.map((event) => event.evidence)]);
  return byProof.findLast((each) => said.has(each)) ?? null;
}

/**
 * Who vouches for an outcome that the service didn't confirm, as the beginning of a sentence; undefined where it did.
 */
export function unconfirmedBy(grounds: Evidence | null): string | undefined {
  if (grounds === "callback") return "An unsigned callback";
  return grounds === "person" ? "A person" : undefined;
}
