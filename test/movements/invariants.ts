import { expect } from "vitest";
import type { Movement } from "../../src/journal/movement.ts";
import type { Run } from "../partner.ts";
import type { Kind } from "./kinds.ts";
import { objectIn } from "./kinds.ts";
import type { Service } from "./service.ts";
import { secretKey } from "./service.ts";
import type { Till } from "./till.ts";

/** A command that moves money, its reference, and a service that knows the truth about it. */
export interface Scene {
  readonly kind: Kind;
  readonly reference: string;
  readonly till: Till;
  readonly service: Service;
  /** How often the command is run again. Default: twice. */
  readonly repeats?: 1 | 2 | undefined;
}

/** Exit codes of a command that moves money; 1, a bug, is never right. */
const documentedExits = new Set([0, 2, 3, 4, 5, 6, 130, 143]);
/** Those that promise that nothing moved. */
const harmlessExits = new Set([2, 3, 4, 5, 130, 143]);

/**
 * Checks a run of a command that moves money, and that the same command twice more on a healthy network neither moves
 * money again nor takes anything back.
 */
export async function expectInvariants(first: Run, scene: Scene): Promise<void> {
  const { kind, reference, till, service } = scene;
  const movement = await expectTruth(first, scene);
  await service.heal();
  const isOver = movement !== undefined && movement.state in exitsAfter;
  for (const arrives of [isOver ? 0 : 1, 0].slice(0, scene.repeats)) {
    const before = service.arrived();
    const again = await till.run(kind.line(reference));
    const after = await expectTruth(again, scene);
    const exit = isOver ? exitsAfter[movement.state] : 0;
    expect({ exit: again.exit, arrived: service.arrived() - before }).toEqual({ exit, arrived: arrives });
    if (isOver) expect(after).toEqual(movement);
  }
}

/**
 * How the same command ends on a healthy network, by the journal's state after the first run; other states are sent.
 */
const exitsAfter: Readonly<Record<string, number>> = { accepted: 0, pending: 0, unknown: 6 };

/** Checks what is true after any run, whatever happened in it. */
export async function expectTruth(run: Run, scene: Scene): Promise<Movement | undefined> {
  const { kind, reference, till, service } = scene;
  const movements = await till.movements();
  const movement = movements.find((one) => one.reference === reference && one.kind === kind.kind);
  expect(untruths(run, movement, service.moved(kind, reference))).toEqual([]);
  return movement;
}

/** What is wrong between a run, the journal's state and the money that moved, each in a sentence. */
export function untruths({ exit, stdout, stderr }: Run, movement: Movement | undefined, moved: number): string[] {
  const state = movement?.state ?? "nothing";
  const told = stdout === "" ? state : objectIn(stdout)["state"];
  const isUnmoved = state === "refused" || state === "unsent" || state === "nothing";
  const claims: readonly (readonly [boolean, string])[] = [
    [documentedExits.has(exit), `exit ${exit} is not documented: ${stderr}`],
    [moved <= 1, `money moved ${moved} times`],
    [exit !== 0 || moved === 1, "exit 0, and no money moved"],
    [!harmlessExits.has(exit) || moved === 0, `exit ${exit}, and money moved`],
    [!isUnmoved || moved === 0, `the journal says ${state}, and money moved`],
    [told === state, `the run says ${JSON.stringify(told)}, the journal says ${state}`],
    [!(stdout + stderr).includes(secretKey), "a secret was printed"],
  ];
  return claims.flatMap(([isTrue, untruth]) => (isTrue ? [] : [untruth]));
}
