import type { Field } from "../values/field.ts";
import { Failure } from "../values/failure.ts";

/** One thing that was checked. A `problem` keeps some command from working, a `warning` may. */
export type Check = {
  readonly check: string;
  readonly result: "ok" | "warning" | "problem";
  readonly detail: string;
};

/** A detail ends with what to do. */
export const checkFields = [
  { name: "check", kind: "id", role: "what" },
  { name: "result", kind: "id", role: "state" },
  { name: "detail", kind: "id", role: "what", whole: true },
] as const satisfies readonly Field[];

export function ok(check: string, detail: string): Check {
  return { check, result: "ok", detail };
}

export function warning(check: string, detail: string): Check {
  return { check, result: "warning", detail };
}

export function problem(check: string, detail: string): Check {
  return { check, result: "problem", detail };
}

/**
 * What a check found; a failure becomes a finding, since a doctor that stops at the first problem is of little use.
 * Only an interruption ends it.
 */
export async function looking(check: string, work: () => Promise<Check> | Check): Promise<Check> {
  try {
    return await work();
  } catch (error) {
    return problem(check, explain(error));
  }
}

/**
 * A failure in the words of a detail: what happened and what to do about it.
 * @throws any error that isn't a `Failure`, and an interruption
 */
export function explain(error: unknown): string {
  if (!(error instanceof Failure) || error.ending === "interrupted") throw error;
  // The reader has just run doctor.
  const hint = error.hint === undefined || error.hint.includes("partner doctor") ? "" : ` ${error.hint}`;
  return error.message.replace(/[^.]$/, "$&.") + hint;
}
