import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { temporaryFolder } from "../memory-host.ts";
import { words } from "../partner.ts";
import { troubledFiles } from "../report/troubled-files.ts";
import { ask, environmentAt, ok } from "./served.ts";
import { compiled, program } from "../program.ts";

/** Rows as the service sends them, and the expected CSV, built side by side. */
function manyRows(count: number): { readonly json: string; readonly csv: string; readonly amounts: readonly string[] } {
  const json: string[] = [];
  const csv: string[] = ["tranRefNo,valueDate,txnDate,narration,debitOrCredit,amountCredited,amountDebited,balance"];
  const amounts: string[] = [];
  for (let row = 0; row < count; row += 1) {
    const credit = `${row * 7}.${String(row % 100).padStart(2, "0")}`;
    const balance = `9007199254740993${row}.10`;
    const day = `2026-02-${String((row % 28) + 1).padStart(2, "0")} 08:00:00`;
    const special = row % 1000 === 0;
    const narration = special ? `=A1, \\"row\\" ${row}\\nnext` : `Payout ${row} ünïcode`;
    json.push(
      `{"tranRefNo":"R${row}","valueDate":"${day}","txnDate":"${day}","narration":"${narration}","debitOrCredit":"CR","amountCredited":${credit},"amountDebited":"","balance":${balance}}`,
    );
    const cell = special ? `"'=A1, ""row"" ${row}\nnext"` : narration;
    csv.push(`R${row},${day},${day},${cell},CR,${credit},,${balance}`);
    amounts.push(credit, balance);
  }
  return { json: `[${json.join(",")}]`, csv: `${csv.join("\n")}\n`, amounts };
}

const statement = "wallet statement 42 --month 2026-02";
const many = manyRows(50_000);
const some = manyRows(5_000);

describe("a statement of 50,000 rows", () => {
  test("is exported exactly as CSV", async () => {
    const { exit, stdout, stderr } = await ask(`${statement} --csv`, ok(many.json));
    expect(exit).toBe(0);
    expect(stderr).toMatch(/\n50000 rows, /);
    // Not toBe: it takes minutes to show a difference of that size.
    expect(stdout === many.csv).toBe(true);
  });

  test("is exported exactly as JSON: each number keeps its digits", async () => {
    const { stdout } = await ask(`${statement} --quiet --json`, ok(many.json));
    const digits = [...stdout.matchAll(/"(?:amountCredited|balance)": ([\d.]+)/g)].map(([, number]) => number);
    expect(JSON.parse(stdout)).toHaveLength(50_000);
    expect(digits.join() === many.amounts.join()).toBe(true);
  });
});

test("a saved statement is complete, and stdout is empty", async () => {
  const path = join(temporaryFolder(), "february.csv");
  const ended = await ask(`${statement} --quiet --save ${path}`, ok(some.json));
  expect(ended).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  expect(readFileSync(path, "utf8") === some.csv).toBe(true);
  expect(readdirSync(join(path, ".."))).toEqual(["february.csv"]);
});

describe("a statement that is cut off or damaged", () => {
  const { json } = manyRows(1_200);
  const breaks: readonly [string, string][] = [
    ["is cut off in its middle", answer("200 OK", json).slice(0, -json.length / 2)],
    ["has garbage in its middle", ok(json.replace('"R600"', '"R600'))],
    ["ends in its middle", ok(json.slice(0, json.length / 2))],
    ["has a number for a row", ok(json.replace('{"tranRefNo":"R1199"', '7,{"tranRefNo":"R1199"'))],
    ["is followed by something", ok(`${json}]`)],
  ];

  test.each(breaks)("because it %s leaves stdout empty and the old file unchanged: 5", async (_, bytes) => {
    for (const format of ["csv", "json", "ndjson", "table"])
      expect(await ask(`${statement} --output ${format}`, bytes)).toMatchObject({ exit: 5, stdout: "" });
    const path = join(temporaryFolder(), "february.csv");
    writeFileSync(path, "old\n");
    expect(await ask(`${statement} --save ${path}`, bytes)).toMatchObject({ exit: 5, stdout: "" });
    expect(readFileSync(path, "utf8")).toBe("old\n");
    expect(readdirSync(join(path, ".."))).toEqual(["february.csv"]);
  });
});

const wallets = ok(
  '[{"accountNo":"0042","accountName":"Zoë; \\"Z\\"","type":"COLLECTION","balance":4500000.00,"currency":"TZS","countryCode":"TZ"},{"accountNo":"0043","accountName":"-B","type":"DISBURSEMENT","balance":"","currency":"KES"}]',
);
const header = "accountNo,accountName,type,balance,currency,countryCode";
const looks: readonly [string, string][] = [
  ["--csv", `${header}\n0042,"Zoë; ""Z""",COLLECTION,4500000.00,TZS,TZ\n0043,'-B,DISBURSEMENT,,KES,\n`],
  ["--csv --raw", `${header}\n0042,"Zoë; ""Z""",COLLECTION,4500000.00,TZS,TZ\n0043,-B,DISBURSEMENT,,KES,\n`],
  ["--csv --no-header --columns balance,accountNo", "4500000.00,0042\n,0043\n"],
  ["--csv --columns accountName --delimiter ;", 'accountName\n"Zoë; ""Z"""\n\'-B\n'],
  ["--csv --columns accountNo,currency --delimiter tab", "accountNo\tcurrency\n0042\tTZS\n0043\tKES\n"],
  ["--csv --columns accountNo --excel", "\uFEFFaccountNo\r\n0042\r\n0043\r\n"],
  ["--csv --columns accountNo --sort -balance", "accountNo\n0042\n0043\n"],
  ["--csv --columns accountNo --sort -accountNo", "accountNo\n0043\n0042\n"],
  ["--output ndjson --columns balance", '{"balance":4500000.00}\n{"balance":null}\n'],
  [
    "--json --columns accountNo,countryCode",
    '[\n  {\n    "accountNo": "0042",\n    "countryCode": "TZ"\n  },\n  {\n    "accountNo": "0043"\n  }\n]\n',
  ],
  [
    "--columns accountNo,balance,currency",
    "account       balance  currency\n0042     4,500,000.00  TZS\n0043                   KES\ntotal TZS 4,500,000.00\n",
  ],
  ["--columns accountNo --no-header", "0042\n0043\ntotal TZS 4,500,000.00\n"],
];

test.each(looks)("wallets list %s prints exactly the expected text", async (flags, text) => {
  expect(await ask(`wallets list ${flags}`, wallets)).toMatchObject({ exit: 0, stdout: text });
});

test("the extension of --save chooses the format, and --output overrides it", async () => {
  const csv = (await ask("wallets list --csv", wallets)).stdout;
  const formats = {
    "a.csv": "csv",
    "a.CSV": "csv",
    "a.json": "json",
    "a.ndjson": "ndjson",
    "a.jsonl": "ndjson",
    "a.txt": "table",
  };
  for (const [name, format] of Object.entries(formats)) {
    const path = join(temporaryFolder(), name);
    expect(await ask(`wallets list --save ${path}`, wallets)).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    expect(readFileSync(path, "utf8")).toBe((await ask(`wallets list --output ${format}`, wallets)).stdout);
  }
  const path = join(temporaryFolder(), "a.json");
  await ask(`wallets list --csv --save ${path}`, wallets);
  expect(readFileSync(path, "utf8")).toBe(csv);
  const odd = join(temporaryFolder(), "a");
  await ask(`wallets list --output csv --save ${odd}`, wallets);
  expect(readFileSync(odd, "utf8")).toBe(csv);
});

test("a saved file keeps the permissions of the old one", async () => {
  const path = join(temporaryFolder(), "a.csv");
  writeFileSync(path, "old", { mode: 0o600 });
  await ask(`wallets list --save ${path}`, wallets);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a table fits the terminal; in a pipe nothing is cut", async () => {
  const long = ok(`[{"accountNo":"0042","accountName":"${"Wide ".repeat(60)}","balance":1}]`);
  const shown = await ask("wallets list", long, { terminal: { stdout: true }, columns: 80 });
  for (const line of shown.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  expect((await ask("wallets list", long)).stdout).toContain("Wide ".repeat(60).trim());
});

test("colours are used only on terminals that want them", async () => {
  const terminal = { stdout: true, stderr: true };
  expect((await ask("wallets list", wallets, { terminal })).stdout).toContain("\u001b[");
  for (const [flags, environment] of [
    ["--no-color", {}],
    ["", { NO_COLOR: "1" }],
    ["", { TERM: "dumb" }],
    ["", { FORCE_COLOR: "0" }],
  ] as const)
    expect((await ask(`wallets list ${flags}`, wallets, { terminal, environment })).stdout).not.toContain("\u001b[");
  expect((await ask("wallets list --csv", wallets, { terminal })).stdout).not.toContain("\u001b[");
});

const troubles: readonly [string, Parameters<typeof troubledFiles>[0], string, RegExp][] = [
  [
    "a temporary folder that is full",
    { spool: "ENOSPC" },
    "--csv",
    /answer could not be stored in the temporary folder \(ENOSPC\)/,
  ],
  ["a full disk while it is saved", { write: "ENOSPC" }, "--save", /could not be written: the disk is full/],
  ["a full disk when it is done", { commit: "ENOSPC" }, "--save", /could not be written: the disk is full/],
  ["a disk that reports a fault", { commit: "EIO" }, "--save", /could not be written: the disk reports an error/],
];

test.each(troubles)("%s ends with 5 and leaves no partial file", async (_, trouble, flag, says) => {
  const folder = temporaryFolder();
  const path = join(folder, "a.csv");
  writeFileSync(path, "old");
  const result = await ask(`wallets list ${flag === "--save" ? `--save ${path}` : flag}`, wallets, {
    host: { files: troubledFiles(trouble) },
  });
  expect(result).toMatchObject({ exit: 5, stdout: "" });
  expect(result.stderr).toMatch(says);
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["a.csv"]);
});

/** Starts the real program against a service that sends these bytes. */
async function started(line: string, bytes: string, stdout: "pipe" | number = "pipe") {
  const service = await recorder(bytes);
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [program, ...words(line)], {
    env: { ...environmentAt(service.origin), HOME: folder, TMPDIR: folder, ...compiled },
    stdio: ["ignore", stdout, "pipe"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await service.stop();
  });
  let stderr = "";
  child.stderr?.on("data", (chunk) => (stderr += String(chunk)));
  return {
    child,
    ended: async () => {
      const [exit] = await once(child, "close");
      return { exit, stderr, left: readdirSync(folder) };
    },
  };
}

describe("the real program", () => {
  test("succeeds when its reader goes away early, as head does", async () => {
    const { child, ended } = await started(`${statement} --csv --quiet`, ok(some.json));
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await ended()).toEqual({ exit: 0, stderr: "", left: [] });
  });

  test("sends every byte to a slow reader", async () => {
    const { child, ended } = await started(`${statement} --csv --quiet`, ok(some.json));
    const parts: Buffer[] = [];
    const { stdout } = child;
    stdout?.on("data", (part: Buffer) => {
      parts.push(part);
      stdout.pause();
      setImmediate(() => stdout.resume());
    });
    expect(await ended()).toMatchObject({ exit: 0, stderr: "" });
    expect(Buffer.concat(parts).toString() === some.csv).toBe(true);
  });

  test.skipIf(process.platform !== "linux")("ends with 5 when the disk behind stdout is full", async () => {
    const { ended } = await started("wallets list --csv", wallets, openSync("/dev/full", "w"));
    const { exit, stderr } = await ended();
    expect(exit).toBe(5);
    expect(stderr).toMatch(
      /^Error: The result could not be written to the standard output completely: the disk is full\./,
    );
  });

  test("succeeds with stdin, stdout and stderr closed from the start", async () => {
    const service = await recorder(wallets);
    onTestFinished(() => service.stop());
    const env = { ...environmentAt(service.origin), HOME: temporaryFolder() };
    const typed = ["-c", 'exec "$0" "$@" <&- >&- 2>&-', process.execPath, program, "wallets", "list"];
    expect(await once(spawn("sh", typed, { env, stdio: "ignore" }), "close")).toEqual([0, null]);
  });
});

test("a read in JSON creates no output file", async () => {
  const written: string[] = [];
  const files = nodeFiles();
  const watched = { ...files, draft: (path: string, mode: number) => (written.push(path), files.draft(path, mode)) };
  expect(await ask("wallets list --json", wallets, { host: { files: watched } })).toMatchObject({ exit: 0 });
  expect(written).toEqual([]);
});
