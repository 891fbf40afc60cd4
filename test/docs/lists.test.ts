import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listsPage, takePictures, untrueIn } from "./lists-page.ts";

let taken: ReturnType<typeof takePictures> | undefined;
const pictures = () => (taken ??= takePictures());
const page = join(import.meta.dirname, "../../docs/lists.md");

test("the page of lists is what they print: npm run lists", async () => {
  expect(readFileSync(page, "utf8")).toBe(await listsPage(pictures()));
});

test("each list has on 80 columns the columns that the page names, and no line is longer", async () => {
  expect(await untrueIn(pictures())).toEqual([]);
  const wrong = { command: "wallets list", shows: { what: "nickname" }, text: `name\n────\n${"x".repeat(81)}` };
  expect(await untrueIn(Promise.resolve([wrong]))).toHaveLength(2);
});
