import { join } from "node:path";
import { expect, test } from "vitest";
import { parsePage, withOutputs } from "../../scripts/docs/blocks.ts";
import { writtenPages } from "../../scripts/docs/pages.ts";
import { playPage } from "../../scripts/docs/play.ts";

const program = join(import.meta.dirname, "../../bin/partner.js");
const installed = { node: process.execPath, program };

test.each([...writtenPages()])(
  "the code blocks of %s run, and print the shown output: npm run guides",
  async (_path, markdown) => {
    expect((await playPage(markdown, installed)).faults).toEqual([]);
  },
);

test("a block with another exit code or other output is noticed", async () => {
  const page = [
    "```text file=note.txt\nPaid.\n```",
    "```sh\ncat note.txt\n```\n\n```output\nNot paid.\n```",
    "```sh exit=9\npartner wallet balance 9000112233 --fail-below 1\n```",
    "```json\n{'paid'}\n```",
    "```crontab\n# a remark\n0 6 1 * *  partner wallet balance\n```",
  ].join("\n\n");
  const { faults, outputs } = await playPage(page, installed);
  expect(faults.map((fault) => fault.split(/[:,]/)[1])).toEqual([
    " ended with 0",
    " ended with 2",
    " the output is not the one shown",
    " SyntaxError",
  ]);
  expect(withOutputs(page, outputs)).toBe(page.replace("Not paid.", "Paid."));
});

test("a block without a language, with an unknown one, or without an end is refused", () => {
  expect(() => parsePage("# A\n\n```\na\n```\n")).toThrow('Line 3: no block is called "".');
  expect(() => parsePage("```bash\na\n```\n")).toThrow('Line 1: no block is called "bash".');
  expect(() => parsePage("```sh\na\n")).toThrow("The block at line 1 has no end.");
});
