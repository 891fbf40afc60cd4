import { onTestFinished, vi } from "vitest";

/**
 * Stops the time by which limits on an exchange are measured, until the test ends; the function that it gives lets some
 * of it pass. What is awaited comes before a limit is over, however busy the machine is.
 */
export function stopTime(finished: typeof onTestFinished = onTestFinished): (ms: number) => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] });
  finished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}
