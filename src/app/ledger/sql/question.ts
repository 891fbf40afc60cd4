import * as z from "zod/mini";
import type { Session } from "../../session.ts";

/** Set for the child process that runs the statement; the question comes on its stdin. */
export const answeringVariable = "PARTNER_LEDGER_ANSWERS";

/** Longer than any command line. */
const questionMaxBytes = 4 * 1024 * 1024;

/** A statement, its accounts and its time. */
export interface SqlQuestion {
  readonly sql: string;
  readonly scope?: string | undefined;
  readonly asOf?: number | undefined;
}

export const questionSchema = z.lazy(() =>
  z.strictObject({ sql: z.string(), scope: z.optional(z.string()), asOf: z.optional(z.number()) }),
);

/** The last line of an answer: empty after success. */
export const endSchema = z.lazy(() =>
  z.strictObject({
    ending: z.optional(z.enum(["usage", "setup", "unavailable"])),
    message: z.optional(z.string()),
    hint: z.optional(z.string()),
  }),
);

/** The question, in the process that answers it; undefined in every other one. */
export async function readQuestion({ host }: Session): Promise<SqlQuestion | undefined> {
  if ((host.environment[answeringVariable] ?? "") === "") return undefined;
  return questionSchema.parse(JSON.parse(new TextDecoder().decode(await host.stdin.read(questionMaxBytes))));
}
