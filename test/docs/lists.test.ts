import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { hire, openOffice } from "../commands/four-eyes.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { listsPage, sharedLists, takePictures, untrueIn } from "./lists-page.ts";

let taken: ReturnType<typeof takePictures> | undefined;
const pictures = () => (taken ??= takePictures());
const page = join(import.meta.dirname, "../../docs/lists.md");

test("the page of lists equals their output: npm run lists", async () => {
  expect(readFileSync(page, "utf8")).toBe(await listsPage(pictures()));
});

test("each list has the page's columns on 80 columns, and no line is longer", async () => {
  expect(await untrueIn(pictures())).toEqual([]);
  const wrong = { command: "wallets list", shows: { what: "nickname" }, text: `name\n────\n${"x".repeat(81)}` };
  expect(await untrueIn(Promise.resolve([wrong]))).toHaveLength(2);
});

withPostgres("with a shared journal", (server) => {
  beforeAll(() => hire(server));

  test("the lists of submitted batches have the columns of the page", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.at("runner")`wallets list`;
    const batch = await office.submit("amina", 3);
    const baraka = office.at("baraka", { terminal: { stdout: true }, columns: 80 });
    const seen = sharedLists.map(async (list) => ({
      ...list,
      text: (await baraka`${list.command.replace("BATCH", batch)}`).stdout,
    }));
    expect((await Promise.all(seen)).map(({ text }) => text)).not.toContain("");
    expect(await untrueIn(Promise.all(seen))).toEqual([]);
  });
});
