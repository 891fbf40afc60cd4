import { PromptAborted } from "../src/host/process/prompts.ts";

/** Among the answers of a world: somebody who presses Ctrl-C instead. */
export function leave(): never {
  throw new PromptAborted("The question was not answered");
}
