import type { Evidence, Movement, MovementEvent } from "./movement.ts";

/** By how much each proves to a reader, the least first: anyone can say what a person or an unsigned callback says. */
const byProof: readonly Evidence[] = ["person", "callback", "answer", "status", "statement"];

/**
 * What a state rests on: what proves most of all that led to it or agreed with it. The movement's own evidence is what
 * overrules others, and a callback or a person who agrees with the service's answer takes that place.
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

/** Who says what nothing of the service confirms, as a sentence begins; undefined where something does. */
export function unconfirmedBy(grounds: Evidence | null): string | undefined {
  if (grounds === "callback") return "An unsigned callback";
  return grounds === "person" ? "A person" : undefined;
}
