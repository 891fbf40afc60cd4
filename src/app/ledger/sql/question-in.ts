import type { Session } from "../../session.ts";
import type { Question } from "./question.ts";
import { answeringVariable, questionSchema } from "./question.ts";

/** Longer than any command line. */
const questionMaxBytes = 4 * 1024 * 1024;

/** The question, in the process that answers it; undefined in every other one. */
export async function readQuestion({ host }: Session): Promise<Question | undefined> {
  if ((host.environment[answeringVariable] ?? "") === "") return undefined;
  return questionSchema.parse(JSON.parse(new TextDecoder().decode(await host.stdin.read(questionMaxBytes))));
}
