import { anyText, positional } from "../input.ts";

/** Which batch is meant. */
export const batchIdArgument = positional({
  summary: "The batch's id, as batch run, submit and list say it.",
  read: anyText,
});
