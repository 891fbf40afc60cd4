import { Failure } from "../../src/values/failure.ts";

/** The Failure that the call throws; any other ending of it fails the test. */
export function failureOf(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
