import { createServer } from "node:http";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import type { FileDraft, Files } from "../../src/host/files/files.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { temporaryFolder } from "../memory-host.ts";
import { start } from "../host/servers.ts";
import { run, words } from "../partner.ts";

interface Line {
  readonly ref: string;
  readonly day: string;
  readonly credit?: string;
  readonly narration?: string;
}

/** The statement as the service would give it that day, balances and all. */
function statementOf(lines: readonly Line[]): string {
  let balance = 0;
  const rows = lines.map(({ ref, day, credit = "100", narration = "rent" }) => {
    balance += Number(credit);
    return `{"tranRefNo":"${ref}","valueDate":"${day} 08:00:00","txnDate":"${day} 08:00:00","narration":"${narration}","debitOrCredit":"CR","amountCredited":${credit}.00,"amountDebited":0.00,"balance":${balance}.00}`;
  });
  return `[${rows.join(",")}]`;
}

const columns = "--columns tranRefNo,narration,amountCredited";

/** A folder in which a file is continued, day after day, from a service that is told its statement. */
async function desk() {
  const folder = temporaryFolder();
  const file = join(folder, "w.csv");
  let lines: readonly Line[] = [];
  let asked = "";
  const server = createServer((request, response) => {
    request.on("data", (bytes) => {
      asked = String(bytes).replace(/.*"startDate":"([\d-]+)","endDate":"([\d-]+)".*/, "$1 $2");
    });
    request.on("end", () => response.setHeader("content-type", "application/json").end(statementOf(lines)));
  });
  const port = await start(server);
  const environment = {
    PARTNER_BASE_URL: `http://127.0.0.1:${port}`,
    PARTNER_ENVIRONMENT: "sandbox",
    PARTNER_ACCOUNT_ID: "a",
    PARTNER_SECRET_KEY: "secret-key",
    PARTNER_STATE_DIR: join(folder, "state"),
  };
  return {
    folder,
    file,
    text: (name = "w.csv") => readFileSync(join(folder, name), "utf8"),
    onDay: async (day: string, statement: readonly Line[], flags = "", files: Files = nodeFiles()) => {
      lines = statement;
      asked = "";
      const save = flags.includes("--save") ? "" : `--save ${file}`;
      const line = words(`wallet statement 42 --since-last ${columns} ${save} ${flags}`);
      const ended = await run(line, { environment, now: Date.parse(`${day}T09:00:00Z`), host: { files } });
      return { ...ended, asked };
    },
  };
}

const header = "tranRefNo,narration,amountCredited\n";
const first: readonly Line[] = [
  { ref: "A", day: "2026-10-01" },
  { ref: "B", day: "2026-10-05" },
];

test("the first export needs a day to start from", async () => {
  const { onDay, file } = await desk();
  const ended = await onDay("2026-10-05", first);
  expect(ended.exit).toBe(2);
  expect(ended.stderr).toContain("--start-date 2026-10-01");
  expect(existsSync(file)).toBe(false);
});

test("later runs append what is new and leave the bytes before it alone", async () => {
  const { onDay, text } = await desk();
  expect(await onDay("2026-10-05", first, "--start-date 2026-10-01")).toMatchObject({
    exit: 0,
    stdout: "",
    asked: "2026-10-01 2026-10-05",
  });
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\n`);
  const late = { ref: "L", day: "2026-10-04" };
  const ended = await onDay(
    "2026-10-06",
    [late, ...first.slice(1), { ref: "C", day: "2026-10-06" }],
    "--start-date 2026-10-01",
  );
  expect(ended).toMatchObject({ exit: 0, asked: "2026-10-02 2026-10-06" });
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nL,rent,100.00\nC,rent,100.00\n`);
  expect(ended.stderr).toContain("2 new rows appended to");
});

test("a run with nothing new leaves the file untouched, and the next one goes on from its day", async () => {
  const { onDay, file, text } = await desk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  const { ino, mtimeMs } = statSync(file);
  expect(await onDay("2026-10-09", first.slice(1))).toMatchObject({ exit: 0, asked: "2026-10-02 2026-10-09" });
  expect(statSync(file)).toMatchObject({ ino, mtimeMs });
  expect(await onDay("2026-10-12", [{ ref: "C", day: "2026-10-12" }])).toMatchObject({
    exit: 0,
    asked: "2026-10-06 2026-10-12",
  });
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
});

test("rows that are alike in every cell are as many in the file as in the statement", async () => {
  const { onDay, text } = await desk();
  const twins = [1, 2].map(() => ({ ref: "", day: "2026-10-05" }));
  await onDay("2026-10-05", twins, "--start-date 2026-10-05");
  await onDay("2026-10-06", [...twins, { ref: "", day: "2026-10-05" }]);
  expect(text()).toBe(`${header}${",rent,100.00\n".repeat(3)}`);
});

test.for([
  ["another narration", [{ ref: "B", day: "2026-10-05", narration: "deposit" }], "B,deposit,100.00"],
  ["another amount", [{ ref: "B", day: "2026-10-05", credit: "7" }], "B,rent,7.00"],
  ["its end", [], "(the service no longer has it)"],
] as const)(
  "an exported row that has %s is told with both versions, and the file stays",
  async ([, statement, shown]) => {
    const { onDay, text } = await desk();
    await onDay("2026-10-05", first, "--start-date 2026-10-01");
    const before = text();
    const ended = await onDay("2026-10-06", [...statement, { ref: "C", day: "2026-10-06" }]);
    expect(ended.exit).toBe(9);
    expect(ended.stderr).toContain("B,rent,100.00");
    expect(ended.stderr).toContain(shown);
    expect(text()).toBe(before);
  },
);

test("a file that was edited or deleted since is told, and begun anew only on request", async () => {
  const { onDay, file, text } = await desk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  writeFileSync(file, `${text()}note,,\n`);
  const edited = await onDay("2026-10-06", first);
  expect(edited).toMatchObject({ exit: 9, asked: "" });
  expect(edited.stderr).toContain("it was edited since");
  expect(text()).toContain("note");
  rmSync(file);
  const deleted = await onDay("2026-10-06", first);
  expect(deleted.exit).toBe(9);
  expect(deleted.stderr).toContain("it was deleted or moved");
  expect(existsSync(file)).toBe(false);
  expect((await onDay("2026-10-06", first, "--restart")).exit).toBe(2);
  expect((await onDay("2026-10-06", first, "--restart --start-date 2026-10-01")).exit).toBe(0);
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\n`);
});

test("a deleted file is missed also where its path is written in another way", async () => {
  const { onDay, folder, file } = await desk();
  await onDay("2026-10-05", first, `--start-date 2026-10-01 --save ${relative(process.cwd(), file)}`);
  rmSync(file);
  const ended = await onDay("2026-10-06", first, `--save ${folder}/./w.csv`);
  expect(ended).toMatchObject({ exit: 9, asked: "" });
  expect(ended.stderr).toContain("it was deleted or moved");
});

test("a file that somebody else made is not overwritten", async () => {
  const { onDay, file, text } = await desk();
  writeFileSync(file, "mine\n");
  expect((await onDay("2026-10-05", first, "--start-date 2026-10-01")).exit).toBe(9);
  expect(text()).toBe("mine\n");
});

test("a moved file is continued where it is now", async () => {
  const { onDay, folder, file, text } = await desk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  renameSync(file, join(folder, "v.csv"));
  expect(
    (await onDay("2026-10-06", [...first.slice(1), { ref: "C", day: "2026-10-06" }], `--save ${folder}/v.csv`)).exit,
  ).toBe(0);
  expect(text("v.csv")).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
});

test("a file that is named after the month begins with the month, without a row that the last one has", async () => {
  const { onDay, folder, text } = await desk();
  const save = `--save ${folder}/w-{account}-{month}.csv`;
  const end = { ref: "E", day: "2026-10-31" };
  await onDay("2026-10-31", [...first, end], `${save} --start-date 2026-10-01`);
  await onDay("2026-11-01", [end, { ref: "N", day: "2026-11-01" }], save);
  expect(text("w-42-2026-10.csv")).toBe(`${header}A,rent,100.00\nB,rent,100.00\nE,rent,100.00\n`);
  expect(text("w-42-2026-11.csv")).toBe(`${header}N,rent,100.00\n`);
});

test.for([true, false])(
  "an export does not go back to the file of an earlier month, whether that is there (%s) or filed away",
  async (isThere) => {
    const { onDay, folder, text } = await desk();
    const save = `--save ${folder}/w-{month}.csv`;
    await onDay("2026-10-31", first, `${save} --start-date 2026-10-01`);
    await onDay("2026-11-01", [{ ref: "N", day: "2026-11-01" }], save);
    if (!isThere) rmSync(join(folder, "w-2026-10.csv"));
    const ended = await onDay("2026-11-01", [{ ref: "L", day: "2026-10-31" }], `${save} --end-date 2026-10-31`);
    expect(ended).toMatchObject({ exit: 2, stdout: "", asked: "" });
    expect(ended.stderr)
      .toBe(`Error: This export has come to 2026-11-01, in "${folder}/w-2026-11.csv"; it does not go back to 2026-10-31.
Hint: Nothing was written. Leave --end-date out to go on; for that month alone leave --since-last out: --month 2026-10 --save another.csv
`);
    expect(existsSync(join(folder, "w-2026-10.csv"))).toBe(isThere);
    expect(text("w-2026-11.csv")).toBe(`${header}N,rent,100.00\n`);
  },
);

test("a first export that would end before it starts is told the last day to start with", async () => {
  const { onDay } = await desk();
  const ended = await onDay("2026-11-20", first, "--start-date 2026-11-02 --end-date 2026-10-31");
  expect(ended).toMatchObject({ exit: 2, asked: "" });
  expect(ended.stderr).toBe(
    "Error: --start-date 2026-11-02 is after 2026-10-31.\nHint: Start with 2026-10-31 or an earlier day.\n",
  );
});

test("where nothing is new, no other file is made, and it is said which one goes on", async () => {
  const { folder, file, onDay } = await desk();
  const rows = [{ ref: "A", day: "2026-10-05" }];
  expect((await onDay("2026-10-05", rows, "--start-date 2026-10-01")).exit).toBe(0);
  const same = await onDay("2026-10-06", rows);
  expect(same.stderr).toContain(`Nothing new since the last run: "${file}" stays as it is.\n`);
  const other = await onDay("2026-10-06", rows, `--save ${folder}/other.csv`);
  expect(other.exit).toBe(0);
  expect(other.stderr).toContain(
    `Nothing new since the last run, which wrote "${file}": "${folder}/other.csv" is not written.\n`,
  );
  expect(existsSync(join(folder, "other.csv"))).toBe(false);
});

test("a folder may be named after the month", async () => {
  const { onDay, folder, text } = await desk();
  mkdirSync(join(folder, "2026-10"));
  expect((await onDay("2026-10-05", first, `--start-date 2026-10-01 --save ${folder}/{month}/w.csv`)).exit).toBe(0);
  expect(text("2026-10/w.csv")).toBe(`${header}A,rent,100.00\nB,rent,100.00\n`);
});

/** Files of which one write ends the run as a kill would: before or after the file has its name. */
function killedAt(path: string, when: "before" | "after"): Files {
  const files = nodeFiles();
  return {
    ...files,
    async draft(target, mode): Promise<FileDraft> {
      const draft = await files.draft(target, mode);
      if (target !== path) return draft;
      return {
        write: (bytes) => draft.write(bytes),
        abandon: () => draft.abandon(),
        async commit() {
          if (when === "after") await draft.commit();
          throw Object.assign(new Error("killed"), { code: "EIO" });
        },
      };
    },
  };
}

test.for(["before", "after"] as const)(
  "a run that is killed just %s its file has its name is made good by the next one",
  async (when) => {
    const { onDay, file, text } = await desk();
    const all = [...first.slice(1), { ref: "C", day: "2026-10-06" }];
    expect((await onDay("2026-10-05", first, "--start-date 2026-10-01", killedAt(file, when))).exit).toBe(5);
    expect((await onDay("2026-10-05", first, "--start-date 2026-10-01")).exit).toBe(0);
    expect((await onDay("2026-10-06", all, "", killedAt(file, when))).exit).toBe(5);
    expect((await onDay("2026-10-06", all)).exit).toBe(0);
    expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
  },
);

test("a run that is killed with a shorter --overlap than the ones around it doubles no row", async () => {
  const { onDay, file, text } = await desk();
  const days = ["02", "03", "04", "05"].map((day) => ({ ref: day, day: `2026-10-${day}` }));
  await onDay("2026-10-05", days, "--start-date 2026-10-01");
  const all = [...days, { ref: "C", day: "2026-10-06" }];
  expect((await onDay("2026-10-06", all.slice(2), "--overlap 1d", killedAt(file, "before"))).exit).toBe(5);
  expect((await onDay("2026-10-06", all)).exit).toBe(0);
  expect(text()).toBe(`${header}${["02", "03", "04", "05", "C"].map((ref) => `${ref},rent,100.00\n`).join("")}`);
});

test("a run to an earlier day than the last one misses nothing of the days that it does not read", async () => {
  const { onDay, text } = await desk();
  const early = { ref: "E", day: "2026-10-03" };
  await onDay("2026-10-05", [early, ...first.slice(1)], "--start-date 2026-10-01");
  expect(await onDay("2026-10-06", [early], "--end-date 2026-10-04")).toMatchObject({
    exit: 0,
    asked: "2026-10-02 2026-10-04",
  });
  expect((await onDay("2026-10-06", [early, ...first.slice(1), { ref: "C", day: "2026-10-06" }])).exit).toBe(0);
  expect(text()).toBe(`${header}E,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
});

test("a run to a day that is still to come goes on from the day on which it was made", async () => {
  const { onDay, text } = await desk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01 --end-date 2026-10-31");
  expect(await onDay("2026-10-20", [...first.slice(1), { ref: "C", day: "2026-10-18" }])).toMatchObject({
    exit: 0,
    asked: "2026-10-02 2026-10-20",
  });
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
});

test("rows of days that are no longer read are left out, and that is said", async () => {
  const { onDay, text } = await desk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  const ended = await onDay("2026-10-06", [...first, { ref: "C", day: "2026-10-06" }]);
  expect(ended.exit).toBe(0);
  expect(ended.stderr).toContain("1 row came and was left out: days before 2026-10-02 were exported by earlier runs.");
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
});

test("a folder or a pipe is not continued, not even anew", async () => {
  const { onDay, folder } = await desk();
  const ended = await onDay("2026-10-05", first, `--save ${folder} --csv --restart --start-date 2026-10-01`);
  expect(ended).toMatchObject({ exit: 2, asked: "" });
  expect(ended.stderr).toContain("is no file, and --since-last continues one");
});

test.for(["EROFS", "EACCES", "ENOSPC"])(
  "a state folder that says %s is told as that, not as another run",
  async (code) => {
    const { onDay, file } = await desk();
    const lock: Files["lock"] = () => Promise.reject(Object.assign(new Error(code), { code }));
    const ended = await onDay("2026-10-05", first, "--start-date 2026-10-01", { ...nodeFiles(), lock });
    expect(ended).toMatchObject({ exit: 3, asked: "" });
    expect(ended.stderr).toContain("PARTNER_STATE_DIR");
    expect(existsSync(file)).toBe(false);
  },
);

test("what is remembered and has lost rows is damaged, and no row is doubled", async () => {
  const { onDay, text, folder } = await desk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  const name = readdirSync(join(folder, "state", "exports")).find((each) => each.endsWith(".ndjson")) ?? "";
  const memory = join(folder, "state", "exports", name);
  const before = text();
  const whole = readFileSync(memory, "utf8");
  for (const left of [whole.slice(0, whole.indexOf("\n") + 1), whole.replace("B,rent", "B,Rent")]) {
    writeFileSync(memory, left);
    const ended = await onDay("2026-10-06", first);
    expect(ended).toMatchObject({ exit: 3, asked: "" });
    expect(ended.stderr).toContain("What is remembered of this export is damaged");
  }
  expect(text()).toBe(before);
});

test("a full disk under what is remembered leaves the file as it was", async () => {
  const { onDay, text } = await desk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  const before = text();
  const files = nodeFiles();
  const draft: Files["draft"] = (path, mode) =>
    path.endsWith(".ndjson")
      ? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))
      : files.draft(path, mode);
  const ended = await onDay("2026-10-06", [...first.slice(1), { ref: "C", day: "2026-10-06" }], "", {
    ...files,
    draft,
  });
  expect(ended.exit).toBe(3);
  expect(ended.stderr).toContain("the disk is full");
  expect(text()).toBe(before);
});

test.for([
  ["--output xlsx", "--columns cannot be used with xlsx"],
  ["--output json", "a file of json does not take"],
  ["--sort narration", "--sort has no place"],
  ["--month 2026-10", "works out its period by itself"],
  ["--overlap 1h", "no number of whole days"],
])("%s has no place beside --since-last", async ([flags = "", message]) => {
  const { onDay, file } = await desk();
  const ended = await onDay("2026-10-05", first, `--start-date 2026-10-01 ${flags}`);
  expect(ended).toMatchObject({ exit: 2, asked: "" });
  expect(ended.stderr).toContain(message);
  expect(existsSync(file)).toBe(false);
});
