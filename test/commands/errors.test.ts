import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formats } from "../../src/report/options.ts";
import { answer } from "../contract/recorder.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";
import { ask, errorIn, ok } from "./served.ts";

const errorKeys = ["ending", "message", "hint", "money", "requestId", "http", "reason", "details", "reference"];

/** Wrong command lines, and what is said about them. */
const mistakes: readonly [string, string | RegExp, string | RegExp][] = [
  ["wallets lst", 'There is no command "wallets lst".', "Did you mean: partner wallets list"],
  ["walets list", 'There is no command "walets list".', "Did you mean: partner wallets list"],
  ["wallet balnce 7", 'There is no command "wallet balnce".', "Did you mean: partner wallet balance"],
  [
    "wallet statment 9000112233 --todya",
    'There is no command "wallet statment".',
    "Did you mean: partner wallet statement",
  ],
  ["walett", 'There is no command "walett".', "Did you mean: partner wallet"],
  ["jurnal", 'There is no command "jurnal".', "Did you mean: partner journal"],
  ["frobnicate", 'There is no command "frobnicate".', "See which there are: partner --help"],
  ["constructor", 'There is no command "constructor".', /./],
  ["__proto__ __proto__", 'There is no command "__proto__ __proto__".', /./],
  ["-- wallets list", "A command is missing: it comes before its own flags.", /./],
  ["--currency TZS wallets list", "A command is missing: it comes before its own flags.", /partner --help/],
  ["wallets list -v", 'Unknown flag "-v".', /partner wallets list --help/],
  ["wallet statement 7 --last 0d", '--last "0d" has no day in it.', "Write it like --last 7d."],
  ["wallet statement 7 --year 26", '--year "26" is not a year.', "Write it like --year 2026."],
  [
    "statement",
    'There is no command "statement".',
    "Did you mean: partner account statement or partner ledger statement or partner wallet statement",
  ],
  ["balance 42", 'There is no command "balance".', "Did you mean: partner account balance or partner wallet balance"],
  ["list wallets", 'There is no command "list wallets".', "Did you mean: partner wallets list"],
  ["list", 'There is no command "list".', "See which there are: partner --help"],
  ["versions", 'There is no command "versions".', "Did you mean: partner --version"],
  ["halp", 'There is no command "halp".', "Did you mean: partner help"],
  [
    "help balance",
    'There is no command and no topic "balance".',
    "Did you mean: partner help account balance or partner help wallet balance",
  ],
  ["help version", 'There is no command and no topic "version".', "See which there are: partner --help"],
  ["help nothing", 'There is no command and no topic "nothing".', "See which there are: partner --help"],
  ["help exit-code", 'There is no command and no topic "exit-code".', "Did you mean: partner help exit-codes"],
  ["help walet", 'There is no command and no topic "walet".', "Did you mean: partner help wallet"],
  ["walet --help", 'There is no command and no topic "walet".', "Did you mean: partner help wallet"],
  ["help acount", 'There is no command and no topic "acount".', "Did you mean: partner help account"],
  ["help ammounts", 'There is no command and no topic "ammounts".', "Did you mean: partner help amounts"],
  [
    "help wallet nothing",
    'There is no command and no topic "wallet nothing".',
    "Did you mean: partner help wallet balance",
  ],
  ["help profile chek", 'There is no command and no topic "profile chek".', "Did you mean: partner help profile check"],
  ["help constructor", 'There is no command and no topic "constructor".', /./],
  ["help wallets list more", 'There is no command and no topic "wallets list more".', /./],
  ["wallets list --curency TZS", 'Unknown flag "--curency".', "Did you mean --currency?"],
  ["wallets list --x --y=1", 'Unknown flag "--x". Unknown flag "--y".', /partner wallets list --help/],
  ["wallets list -x", 'Unknown flag "-x".', /./],
  ["wallets list --no-quiet", 'Unknown flag "--no-quiet".', "Did you mean --quiet?"],
  ["wallets list --Json", 'Unknown flag "--Json".', "Did you mean --json?"],
  ["wallets list --version", 'Unknown flag "--version".', /./],
  ["wallets list ---", 'Unknown flag "---".', /./],
  ["wallets list \u2013currency TZS", '"\u2013currency" begins with a long dash.', /two hyphens: --currency/],
  ["wallets list \u2014json", '"\u2014json" begins with a long dash.', "Type two hyphens: --json"],
  ["wallet balance 9000112233 \u2014json", '"\u2014json" begins with a long dash.', "Type two hyphens: --json"],
  [
    "ledger sync \u2013start-date=2026-10-01",
    '"\u2013start-date=2026-10-01" begins with a long dash.',
    /--start-date=2026/,
  ],
  ["wallets list - - json", 'Unexpected argument "-".', "Type the two hyphens of a flag together"],
  [
    "wallet balance 9000112233 -",
    'ACCOUNT "-" isn\'t a valid account number.',
    "the two hyphens of a flag stand together, as in --json",
  ],
  ["wallet statement 9000112233 --last month", "--last takes a number of days.", "Did you mean --last-month?"],
  ["wallet statement 9000112233 --date yesterday", /isn't a valid calendar day/, "Did you mean --yesterday?"],
  ["wallet statement 9000112233 --month 'Last Month'", /isn't a valid month/, "Did you mean --last-month?"],
  ["wallet statement 9000112233 --start-date today", /isn't a valid calendar day/, "Did you mean --today?"],
  ["wallet statement 9000112233 --date tomorrow", /isn't a valid calendar day/, /^Write it like --date 2026-10-31/],
  ["wallet statement 9000112233 last-month", 'Unexpected argument "last-month".', "Did you mean --last-month?"],
  ["wallets list json", 'Unexpected argument "json".', "Did you mean --json?"],
  [
    "send --from 9000112233",
    'There is no command "send".',
    /^Did you mean: partner transfer or partner payout or partner remit$/,
  ],
  ["pay", 'There is no command "pay".', "Did you mean: partner transfer or partner payout or partner remit"],
  ["wallets list extra", 'Unexpected argument "extra".', /./],
  ["wallets list -- --json", 'Unexpected argument "--json".', /./],
  ["wallets list -", 'Unexpected argument "-".', /./],
  ["account balance 1 2", 'Unexpected argument "2".', "See what it takes: partner account balance --help"],
  ["wallet balance", "ACCOUNT is missing.", "See what it takes: partner wallet balance --help"],
  ["account balance", "ACCOUNT is missing.", /^See what it takes: partner account balance --help\. For example: \S/],
  ["wallet balance --fail-below -5", /^--fail-below "-5" is not an amount\. ACCOUNT is missing\.$/, /./],
  ["wallet balance ''", /ACCOUNT is empty/, /./],
  ["account balance ''", /ACCOUNT is empty/, /./],
  ["wallet balance 'a b'", /^ACCOUNT "a b" /, /./],
  ["wallets list --currency ''", "--currency is empty.", /./],
  ["wallets list --type=", "--type is empty.", /./],
  ["wallets list --profile ''", "--profile is empty.", /./],
  ["wallets list --columns ''", "--columns is empty.", /./],
  ["wallets list --columns accountNo,,balance", /^--columns "accountNo,,balance" has an empty name/, /./],
  ["wallets list --sort -", /^--sort "-" has an empty name/, "Write it like --sort currency,-balance."],
  ["wallets list --save ''", "--save is empty.", /./],
  ["wallets list --delimiter ''", "--delimiter is empty.", /./],
  ["wallets list --delimiter ;;", /^--delimiter ";;" isn't one character/, "Write --delimiter ';' or --delimiter tab."],
  [`wallets list --delimiter '"'`, /^--delimiter /, /./],
  ["wallets list --timeout 30", /^--timeout "30" isn't a valid length of time/, /--timeout 30s/],
  [
    "webhook inbox prune --older-than 1",
    '--older-than "1" isn\'t a valid length of time.',
    "Write it like --older-than 400d: a number and one of ms, s, m, h, d.",
  ],
  [
    "webhook listen --for 25d",
    '--for "25d" is longer than 24d.',
    "Write it like --for 10m: a number and one of ms, s, m, h, d.",
  ],
  ["wallets list --timeout 0s", /^--timeout "0s" is shorter than a millisecond/, /./],
  ["wallets list --timeout -5s", /^--timeout "-5s" isn't a valid length of time/, /./],
  ["wallets list --timeout 1000d", /^--timeout "1000d" is longer than/, /./],
  ["wallets list --retries 11", "--retries takes a whole number from 0 to 10.", /./],
  ["wallets list --retries -1", "--retries takes a whole number from 0 to 10.", /./],
  ["wallets list --retries 1.5", "--retries takes a whole number from 0 to 10.", /./],
  ["wallets list --timeout", "--timeout has no value.", /./],
  ["wallets list --ca-cert /nowhere/ca.pem", /^The file of --ca-cert "\/nowhere\/ca.pem" cannot be read/, /./],
  ["wallet statement 7", /period/i, /--month/],
  ["wallet statement 7 --month 2026-13", /^--month "2026-13" /, /./],
  ["wallet statement 7 --today --month 2026-02", /./, /./],
  ["wallet statement 7 --timeout 5 --retries x --nope", 'Unknown flag "--nope".', /./],
  ["institutions --search ''", "--search is empty.", "Give it a value, or leave it out."],
  ["find ''", "WHAT is empty.", "It needs a value."],
  ["simulator run", "There is no command to run.", /partner simulator run -- partner wallets list/],
  [
    "simulator run --save run.json -- true",
    "--save has nothing to write: what the command prints goes to stdout.",
    "Leave it out, or give it to that command: partner simulator run -- partner wallets list --save FILE",
  ],
  [
    "simulator stop --save stop.json",
    "--save has nothing to write: simulator stop prints no result.",
    "Leave it out. The lines for a shell: partner simulator stop --env",
  ],
  ["simulator start --port 65536", "--port takes a whole number from 0 to 65535.", /./],
  [
    "batch template --kind transfers",
    "--kind takes one of transfer, withdraw, collect, remit, payout.",
    "Did you mean --kind transfer?",
  ],
  [
    "batch template --kind x",
    "--kind takes one of transfer, withdraw, collect, remit, payout.",
    "For example: --kind transfer",
  ],
  ["completion", "SHELL is missing. SHELL is one of bash, zsh, fish, powershell.", "partner completion --help"],
  ["completion bsh", "SHELL takes one of bash, zsh, fish, powershell.", "Did you mean bash?"],
  ["simulator start --environment simulator", "--environment takes one of live, sandbox.", /./],
  ["profile show a.b", /"a\.b" must be 1 to 32 lower-case letters/, /./],
];

test.each(mistakes)("%s: exit 2 in every format, nothing sent, nothing on stdout", async (line, message, hint) => {
  for (const format of formats) {
    const result = await ask(`--output ${format} ${line}`);
    expect(result).toMatchObject({ exit: 2, stdout: "", requests: [] });
    expect(result.stderr).not.toMatch(/\n {4}at /);
    if (format !== "json" && format !== "ndjson") continue;
    const error = errorIn(result);
    expect(Object.keys(error)).toEqual(errorKeys);
    expect(error).toMatchObject({ ending: "usage", money: "none", requestId: null, http: null });
    expect(error["message"]).toMatch(message);
    expect(error["hint"]).toMatch(hint);
  }
});

test("several mistakes are reported at once", async () => {
  const { exit, stderr } = await ask("wallet balance --fail-below 1,5 --timeout 3 --retries many");
  expect(exit).toBe(2);
  expect(stderr).toMatch(/--fail-below "1,5" .* --timeout "3" .* --retries takes .* ACCOUNT is missing\.\n/);
});

test.each(["wallet balance", "account balance", "wallet statement --today", "profile use", "profile add"])(
  "%s: a missing argument is not read from stdin",
  async (line) => {
    expect(await ask(`${line} --no-input`, ok("{}"), { stdin: "0042\n" })).toMatchObject({
      exit: 2,
      stdout: "",
      requests: [],
    });
  },
);

const contradictions = ["--json --csv", "--json --output csv", "--csv -o table", "--output json --output csv"];

test.each(contradictions)("wallets list %s contradicts itself: exit 2", async (flags) => {
  expect(await ask(`wallets list ${flags}`, ok("[]"))).toMatchObject({ exit: 2, stdout: "", requests: [] });
});

test.each(["--json --json", "--json --output json", "--csv -o csv", "-q -q"])(
  "wallets list %s does not contradict itself",
  async (flags) => {
    expect(await ask(`wallets list ${flags}`, ok("[]"))).toMatchObject({ exit: 0 });
  },
);

test.each(["yaml", "JSON", "table ", "xls", "\u001b[31m"])(
  "PARTNER_OUTPUT=%j exits with 2 and is named in the error",
  async (text) => {
    const result = await ask("wallets list", ok("[]"), { environment: { PARTNER_OUTPUT: text } });
    expect(result).toMatchObject({ exit: 2, stdout: "", requests: [] });
    expect(result.stderr).toMatch(/^Error: PARTNER_OUTPUT ".*" isn't a format\./);
    expect(result.stderr).not.toContain("\u001b");
  },
);

function withOutput(text: string, flags = "") {
  return ask(`wallets list ${flags}`, ok("[]"), { environment: { PARTNER_OUTPUT: text } });
}

test("PARTNER_OUTPUT sets the format when no flag does, and counts as unset when empty", async () => {
  expect((await withOutput("json")).stdout).toBe("[]\n");
  expect((await withOutput("yaml", "--json")).stdout).toBe("[]\n");
  expect((await withOutput("json", "--csv")).stdout).toMatch(/^accountNo,/);
  expect((await withOutput("")).stderr).toBe("The account has no wallets.\n");
});

test("errors follow PARTNER_OUTPUT, too", async () => {
  const result = await ask("wallets lst", [], { environment: { PARTNER_OUTPUT: "ndjson" } });
  expect(errorIn(result)).toMatchObject({ ending: "usage" });
});

test("an unknown column or sort key exits with 2 and names the columns", async () => {
  const rows = ok('[{"accountNo":"1","balance":1,"extra":true}]');
  for (const flag of ["--columns balanse", "--sort -balanse"]) {
    const result = await ask(`wallets list ${flag} --json`, rows);
    expect(result).toMatchObject({ exit: 2, stdout: "" });
    expect(errorIn(result)["hint"]).toBe(
      "Did you mean balance? Its columns are accountNo, accountName, type, balance, currency, countryCode, extra.",
    );
  }
  expect((await ask("wallets list --columns extra --csv", rows)).stdout).toBe("extra\ntrue\n");
});

const saves: readonly [string, RegExp][] = [
  ["missing/x.csv", /cannot be written: its folder does not exist/],
  ["file/x.csv", /cannot be written: a part of its path is a file/],
  ["folder.csv", /cannot be written: it is a folder/],
  ["x.unknown", /does not say in which format to write/],
  ["x", /does not say in which format to write/],
  [`${"x".repeat(300)}.csv`, /cannot be written: its name is too long/],
];

test.each(saves)("--save %s exits with 2 before anything is sent", async (name, says) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "folder.csv"));
  const result = await ask(["wallets", "list", "--save", join(folder, name)], ok("[]"));
  expect(result).toMatchObject({ exit: 2, stdout: "", requests: [] });
  expect(result.stderr).toMatch(says);
});

test.skipIf(process.getuid?.() === 0)("--save into a folder without write permission exits with 2", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "locked"), { mode: 0o500 });
  const result = await ask(["wallets", "list", "--save", join(folder, "locked", "x.csv")], ok("[]"));
  expect(result).toMatchObject({ exit: 2, stdout: "", requests: [] });
});

/** One command for each exit code that a read can have, and what causes it. */
const endings: readonly [number, string, string, string, Record<string, string>][] = [
  [0, "ok", "wallets list", ok("[]"), {}],
  [2, "usage", "wallets list --columns x", ok('[{"a":1}]'), {}],
  [2, "usage", "institutions", ok("[]"), { PARTNER_ENVIRONMENT: "sandbox" }],
  [3, "setup", "wallets list", answer("401 Unauthorized", '{"statusCode":401,"reason":"INVALID_CREDENTIALS"}'), {}],
  [3, "setup", "account balance 1", answer("403 Forbidden", '{"statusCode":403,"error":"Forbidden"}'), {}],
  [3, "setup", "wallets list", ok("[]"), { PARTNER_SECRET_KEY: "" }],
  [3, "setup", "wallets list", ok("[]"), { PARTNER_BASE_URL: "ftp://x" }],
  [3, "setup", "wallets list", ok("[]"), { PARTNER_SECRET_KEY_FILE: "/x" }],
  [4, "refused", "wallet balance 1", answer("404 Not Found", '{"statusCode":404,"reason":"NOT_FOUND"}'), {}],
  [4, "refused", "wallet balance 1", answer("400 Bad Request", ""), {}],
  [4, "refused", "account balance 1", ok('{"success":false,"statusCode":"REJECTED"}'), {}],
  [5, "unavailable", "wallets list", answer("503 Service Unavailable", ""), {}],
  [5, "unavailable", "wallets list", ok("<html>"), {}],
  [9, "mismatch", "wallet balance 1 --fail-below 5", ok('{"availableBalance":4.99}'), {}],
  [9, "mismatch", "wallet statement 1 --today --strict", ok('[{"balance":1}]'), {}],
];

test.each(endings)("%i %s: %s", async (exit, ending, line, body, environment) => {
  for (const format of formats) {
    const result = await ask(`${line} --output ${format}`, body, { environment });
    expect(result.exit).toBe(exit);
    if (exit === 0) continue;
    expect(result.stdout).toBe("");
    expect(result.stderr).toMatch(/(^|\n)Error: .+\nHint: .+\n/s);
    expect(result.stderr).not.toMatch(/\n {4}at /);
    if (format !== "json" && format !== "ndjson") continue;
    expect(Object.keys(errorIn(result))).toEqual(errorKeys);
    expect(errorIn(result)).toMatchObject({ ending, money: "none" });
  }
});

test("a bug exits with 1 and its message, and prints a stack trace only with --debug", async () => {
  const host = { transport: () => Promise.reject(new TypeError("a bug, made up")) };
  const result = await ask("wallets list --json", [], { host });
  expect(result).toMatchObject({ exit: 1, stdout: "" });
  expect(errorIn(result)).toMatchObject({ ending: "bug", message: expect.stringContaining("a bug, made up") });
  expect(result.stderr).not.toMatch(/\n {4}at /);
  expect((await ask("wallets list --debug", [], { host })).stderr).toMatch(/\n {4}at /);
});

test("control characters in the service's error details are shown, and not sent to a terminal", async () => {
  const body = '{"statusCode":400,"reason":"\\u001b[2J","message":"\\u202egnp","details":{"a\\u0007":"\\u009b1m"}}';
  for (const format of formats) {
    const result = await ask(`wallet balance 1 --output ${format}`, answer("400 Bad Request", body));
    expect(result.exit).toBe(4);
    expect(result.stderr).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    for (const shown of ["\\u001b[2J", "\\u202e", "\\u0007", "\\u009b"]) expect(result.stderr).toContain(shown);
  }
});

test("the JSON error has the details by field", async () => {
  const body = '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"accountNo":"is required"}}';
  const result = await ask("wallet balance 1 --json", answer("400 Bad Request", body));
  expect(errorIn(result)).toMatchObject({
    ending: "refused",
    http: 400,
    reason: "VALIDATION_ERROR",
    details: { accountNo: "is required" },
    requestId: /x-request-id: (\S+)/.exec(result.requests[0] ?? "")?.[1],
  });
});

test("without any account the exit is 3, and the hint says how to begin", async () => {
  const result = await run(["wallets", "list", "--json"]);
  expect(result).toMatchObject({ exit: 3, stdout: "" });
  expect(errorIn(result)["hint"]).toContain("partner simulator run -- partner wallets list");
});

test("a NUL character in a value is a usage error", async () => {
  for (const argv of [
    ["simulator", "start", "--state", "\0"],
    ["profile", "show", "a\0b"],
    ["wallets", "list", "--save", "\0.csv"],
  ])
    expect(await run(argv)).toMatchObject({ exit: 2, stdout: "" });
});

test.each([
  ["wallets list --excel", "--excel works with csv only.", "Add --output csv, or leave it out."],
  [
    "wallets list --json --no-header --delimiter ;",
    "--no-header and --delimiter work with csv only.",
    "Add --output csv, or leave them out.",
  ],
  ["wallets list --save wallets.ndjson --raw", "--raw works with csv only.", "Add --output csv, or leave it out."],
  [
    "wallet statement 7 --last 7d --csv --chart",
    "--chart works with a table only.",
    "Leave --chart out, or use --output table.",
  ],
  [
    "wallet statement --all --last 7d --save {account}.xlsx --chart",
    "--chart works with a table only.",
    "Leave --chart out, or use --output table.",
  ],
])("%s is refused because the flag would have no effect", async (line, message, hint) => {
  const result = await ask(line, ok("[]"));
  expect(result).toMatchObject({ exit: 2, stdout: "", requests: [] });
  expect(result.stderr).toContain(`Error: ${message}\nHint: ${hint}\n`);
});

test("flags for CSV are accepted whichever way CSV was chosen", async () => {
  const excel = await ask("wallets list --excel --delimiter ; --no-header", ok("[]"), {
    environment: { PARTNER_OUTPUT: "csv" },
  });
  expect(excel).toMatchObject({ exit: 0, stdout: "\ufeff" });
});

test("a period that ends in the future is read, with a note on stderr", async () => {
  const { exit, stderr, requests } = await ask(
    "wallet statement 7 --start-date 2001-10-01 --end-date 2999-12-31 --csv",
    ok("[]"),
  );
  expect(exit).toBe(0);
  expect(stderr).toMatch(
    /^Period: 2001-10-01 to 2999-12-31\nThe period ends in the future: today is \d{4}-\d\d-\d\d\.\n/,
  );
  expect(requests[0]).toContain('"endDate":"2999-12-31"');
});

test.for([
  ["journal verify none.ndjson", "none.ndjson"],
  ["wallets list --ca-cert none.pem", 'The file of --ca-cert "none.pem"'],
  ["approvals key add none.pub", "none.pub"],
])("a missing file is reported as missing: %s", async ([line = "", what]) => {
  const ended = await ask(line, ok("[]"));
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(ended.stderr).toContain(`${what} cannot be read: there is no such file or folder.`);
});
