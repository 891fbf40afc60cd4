import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/**
 * The longest files, longest first. Started last, one of them would run alone while the other workers have nothing
 * left.
 */
const longest = [
  "test/simulation/simulation.test.ts",
  "test/ledger/half-year.test.ts",
  "test/docs/blocks.test.ts",
  "test/commands/ledger-shared.test.ts",
  "test/commands/four-eyes-redact.test.ts",
  "test/journal/shared.test.ts",
  "test/movements/io-errors.test.ts",
  "test/movements/classification.test.ts",
  "test/movements/broken-answers.test.ts",
];

/** The order of a first run, in which vitest knows the size of each file, and not its duration. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const first = longest.flatMap((path) => others.filter(({ moduleId }) => moduleId.endsWith(path)));
    return [...first, ...others.filter((file) => !first.includes(file))];
  }
}
