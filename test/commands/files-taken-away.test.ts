import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { vanishing } from "../vanishing.ts";
import { exportDesk, header } from "./export-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// Another program may remove a file at any moment, even between a look at it and its reading.

const numberless = (text: string) => text.replaceAll(/before-\d/g, "before");

test("an export whose file is removed at any moment is continued whole, or reported as deleted", async () => {
  const old = { ref: "A", day: "2026-10-01" };
  const late = { ref: "B", day: "2026-10-02" };
  for (let look = 1, looks = 1; look <= looks; look += 1) {
    const desk = await exportDesk();
    expect((await desk.onDay("2026-10-01", [old], "--start-date 2026-10-01")).exit).toBe(0);
    const files = vanishing(/w\.csv$/, look);
    const { exit, stderr } = await desk.onDay("2026-10-02", [old, late], "", files);
    looks = files.looks();
    const isWritten = exit === 0;
    const said = isWritten ? "1 new row appended to" : "it was deleted or moved";
    expect([look, exit, stderr]).toEqual([look, isWritten ? 0 : 9, expect.stringContaining(said)]);
    // Once the file's bytes are copied, a whole one takes its place; otherwise the test puts it back.
    if (!isWritten) writeFileSync(join(desk.folder, "w.csv"), `${header}A,rent,100.00\n`);
    const ended = await desk.onDay("2026-10-02", [old, late]);
    expect([look, ended.exit, desk.text()]).toEqual([look, 0, `${header}A,rent,100.00\nB,rent,100.00\n`]);
  }
});

test.each(["close.html", "statements/9000112233.csv"])(
  "a close whose %s is removed while it is read is treated as one without it",
  async (name) => {
    const { onDay, write, folder } = await ledgerDesk();
    write({ "9000112233": { lines: [{ ref: "A", day: "2026-10-05", amount: 100 }] } });
    const to = join(folder, "close-2026-10");
    const close = (flags = "", world = {}) =>
      onDay("2026-11-20", `close --month 2026-10 --to ${to} ${flags}`.trim(), world);
    expect(await close()).toMatchObject({ exit: 0 });
    const whole = readFileSync(join(to, name), "utf8");
    for (const flags of ["--check", ""]) {
      rmSync(join(to, name));
      const lacking = await close(flags);
      mkdirSync(join(to, "statements"), { recursive: true });
      writeFileSync(join(to, name), whole);
      const taken = await close(flags, { host: { files: vanishing(new RegExp(`${to}/${name}$`)) } });
      expect([flags, taken.exit, numberless(taken.stderr)]).toEqual([flags, lacking.exit, numberless(lacking.stderr)]);
      writeFileSync(join(to, name), whole);
    }
  },
);

test("a close whose manifest is removed after it was compared still holds", async () => {
  const { onDay, write, folder } = await ledgerDesk();
  write({ "9000112233": { lines: [{ ref: "A", day: "2026-10-05", amount: 100 }] } });
  const line = `close --month 2026-10 --to ${join(folder, "close-2026-10")}`;
  expect(await onDay("2026-11-20", line)).toMatchObject({ exit: 0 });
  // The first look comes before the manifest is read.
  const files = vanishing(/manifest\.json$/, 2);
  expect(await onDay("2026-11-20", `${line} --check`, { host: { files } })).toMatchObject({ exit: 0 });
  expect(files.looks()).toBeGreaterThan(1);
});
