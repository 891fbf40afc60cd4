import { PromptAborted } from "../src/host/process/prompts.ts";

/** One of the answers of a world: the person presses Ctrl-C instead. */
export function leave(): never {
  throw new PromptAborted("The question was not answered");
}
