import * as z from "zod/mini";

/** Says to this program that it is the one that answers a statement; what is asked comes on stdin. */
export const answeringVariable = "PARTNER_LEDGER_ANSWERS";

/** A statement, of which accounts and of what time. */
export interface Question {
  readonly sql: string;
  readonly scope?: string | undefined;
  readonly asOf?: number | undefined;
}

export const questionSchema = z.lazy(() =>
  z.strictObject({ sql: z.string(), scope: z.optional(z.string()), asOf: z.optional(z.number()) }),
);

/** The last line of an answer: empty where all went well. */
export const endSchema = z.lazy(() =>
  z.strictObject({
    ending: z.optional(z.enum(["usage", "setup", "unavailable"])),
    message: z.optional(z.string()),
    hint: z.optional(z.string()),
  }),
);
