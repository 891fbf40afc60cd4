import { neededText, positional } from "../../cli/line/input.ts";

/** Which batch is meant. */
export const batchIdArgument = positional({
  summary: "The batch's id, or its beginning; batch run, submit and list show it.",
  read: neededText,
});
