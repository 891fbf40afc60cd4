import { expect } from "vitest";
import { test } from "../simulated.ts";
import { openDesk } from "./batch-service.ts";

test("a local batch is found by the beginning of its id when no other id begins like that", async ({ partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const ids: string[] = [];
  for (const reference of ["R-1", "R-2"]) {
    const file = desk.write(
      `reference,from,to,amount,description\n${reference},9000112233,9000112244,${reference.slice(2)}5,rent ${reference}\n`,
    );
    const ended = await partner`batch run ${file} --kind transfer --yes --json`;
    expect(ended.exit).toBe(0);
    ids.push(/\b[0-9a-f]{16}\b/.exec(ended.stderr + ended.stdout)?.[0] ?? "none");
  }
  const [one = "", two = ""] = ids;
  expect(one.slice(0, 6)).not.toBe(two.slice(0, 6));
  expect(JSON.parse((await partner`batch status ${one.slice(0, 6)} --json`).stdout)).toMatchObject({ batch: one });
  expect((await partner`batch report ${two.slice(0, 6)} --csv`).stdout).toContain("R-2");
  const none = await partner`batch status ${one.slice(0, 3)}`;
  expect(none).toMatchObject({ exit: 4, stdout: "" });
  expect(none.stderr).toContain("Hint: Give the whole id, or at least 4 characters of its beginning.");
});

test.for(["batch list", "batch approve 0f3a9c52d41b7e86 --yes", "approvals show"])(
  "without a shared journal, %s says that it needs one",
  async (line, { partnerIn }) => {
    const ended = await partnerIn(openDesk())`${line}`;
    expect(ended).toMatchObject({ exit: 2, stdout: "" });
    expect(ended.stderr).toContain("Error: Four eyes need a shared journal, and none is named.\n");
    expect(ended.stderr).toContain("partner batch status ID");
  },
);
