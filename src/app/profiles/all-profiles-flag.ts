import { toggle } from "../../cli/line/input.ts";
import type { Field } from "../../values/field.ts";

export const allProfilesFlag = {
  allProfiles: toggle({ summary: "Every profile, one after the other; rows say which." }),
} as const;

/** The column by which rows of several profiles are told apart. */
export const profileField = { name: "profile", kind: "id", role: "what" } as const satisfies Field;
