import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { movedUnder, openDesk } from "./journal-desk.ts";

const rows = `kind,reference,from,to,amount,description
transfer,E-1,9000112233,9000112244,201,rent
transfer,E-2,9000112233,9000112244,202,rent
`;

const bothUnknown = { exit: 6, accepted: 0, unsent: 0, unknown: 2 };

test("when an older journal lacks the rows of a batch, they are called unknown, not unsent", async ({
  partnerIn,
  simulator,
}) => {
  const desk = openDesk(partnerIn);
  await desk.send("R-1");
  const former = join(temporaryFolder(), "journal.db");
  cpSync(desk.journal, former);
  const file = join(temporaryFolder(), "rents.csv");
  writeFileSync(file, rows);
  const ran = await desk.partner`batch run ${file} --yes`;
  const [, id = ""] = /Batch (\w{16}):/.exec(ran.stderr) ?? [];
  const asked = async () => {
    const [status, report] = [
      await desk.partner`batch status ${id} --json`,
      await desk.partner`batch report ${id} --json`,
    ];
    const messages = JSON.parse(report.stdout).map(({ state, message }: Record<string, unknown>) => [state, message]);
    return { exit: status.exit, ...JSON.parse(status.stdout), messages };
  };
  expect(await asked()).toMatchObject({ exit: 0, accepted: 2, unsent: 0, unknown: 0 });
  cpSync(former, desk.journal);
  const lacking = expect.stringMatching(
    /^This journal is older than what was sent from here: .* It may lack this order\.$/,
  );
  expect(await asked()).toMatchObject({
    ...bothUnknown,
    messages: Array.from({ length: 2 }, () => ["unknown", lacking]),
  });
  expect((await desk.partner`journal recover`).exit).toBe(0);
  expect((await desk.partner`batch run ${file} --yes`).exit).toBe(0);
  expect(await asked()).toMatchObject({ exit: 0, accepted: 2, unsent: 0, unknown: 0 });
  expect(movedUnder(simulator, "E-1", "E-2")).toEqual([1, 1]);
});
