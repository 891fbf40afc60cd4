import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const rows = [
  { ref: "S", day: "2026-09-02", amount: 1000 },
  { ref: "O", day: "2026-10-05", amount: -300 },
];

test("two closes at the same time are both remembered", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  write({ [wallet]: { lines: rows } });
  await onDay("2026-11-06", "ledger sync --start-date 2026-09-01");
  const close = (month: string, world: Parameters<typeof onDay>[2] = {}) =>
    onDay("2026-11-06", `close --month ${month} --to ${join(folder, month)}`, world);
  const files = nodeFiles();
  const { promise: isStopped, resolve: stop } = Promise.withResolvers<void>();
  const lock: typeof files.lock = (path, limits) => {
    if (path.includes("closes")) stop();
    return files.lock(path, limits);
  };
  let second: ReturnType<typeof close> | undefined;
  // The second close runs to its end, or until it waits for the first, which is about to write what it remembers.
  const first = await close("2026-09", {
    host: {
      files: {
        ...files,
        async draft(path, mode) {
          if (path.endsWith("closes.json")) {
            second = close("2026-10", { host: { files: { ...files, lock } } });
            void second.then(() => stop());
            await isStopped;
          }
          return files.draft(path, mode);
        },
      },
    },
  });
  expect([first, await second]).toMatchObject([{ exit: 0 }, { exit: 0 }]);
  write({ [wallet]: { lines: [...rows, { ref: "L1", day: "2026-09-20" }, { ref: "L2", day: "2026-10-20" }] } });
  await onDay("2026-11-07", "ledger sync --start-date 2026-09-01");
  const { stderr } = await onDay("2026-11-07", "ledger status");
  for (const month of ["2026-09", "2026-10"]) expect(stderr).toContain(`The closed month ${month} has changed`);
});
