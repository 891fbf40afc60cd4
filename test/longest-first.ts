import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** What takes longest, longest first. Begun last, one of these would run alone while the other workers have nothing left. */
const longest = [
  "test/simulation/simulation.test.ts",
  "test/ledger/half-year.test.ts",
  "test/docs/blocks.test.ts",
  "test/journal/shared.test.ts",
  "test/movements/io-errors.test.ts",
  "test/movements/classification.test.ts",
  "test/movements/broken-answers.test.ts",
  "test/commands/four-eyes-look.test.ts",
];

/** The order of a first run, in which vitest knows of a file how long it is, not how long it takes. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const first = longest.flatMap((path) => others.filter(({ moduleId }) => moduleId.endsWith(path)));
    return [...first, ...others.filter((file) => !first.includes(file))];
  }
}
