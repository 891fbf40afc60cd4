import * as z from "zod/mini";

/** Set for the child process that runs the statement; the question comes on its stdin. */
export const answeringVariable = "PARTNER_LEDGER_ANSWERS";

/** A statement, its accounts and its time. */
export interface Question {
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
