import { neededText, positional } from "../../cli/line/input.ts";

/** Which batch is meant. */
export const batchIdArgument = positional({
  summary: "The batch's id, as batch run, submit and list say it.",
  read: neededText,
});
