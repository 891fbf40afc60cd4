import { expect } from "vitest";
import { test } from "../simulated.ts";
import { ask, errorIn, ok } from "./served.ts";

const airtel = '{"institutionCode":"TZ-AIRTEL","name":"Airtel, Tanzania"}';
const bank = '{"institutionCode":"CORUTZTZ","name":"CRDB Bank","swift":null}';

// The specification does not describe the body: these are the usual ways to wrap such a list.
const shapes: readonly [string, string][] = [
  ["a list", `[${airtel},${bank}]`],
  ["a result", `{"success":true,"statusCode":"SUCCESS","result":[${airtel},${bank}]}`],
  ["data", `{"data":[${airtel},${bank}]}`],
  ["institutions", `{"institutions":[${airtel},${bank}],"count":2}`],
  ["two wrappings", `{"data":{"institutions":[${airtel},${bank}]}}`],
];

test.each(shapes)("institutions wrapped as %s are listed", async (_, body) => {
  expect(await ask("institutions --csv", ok(body))).toMatchObject({
    exit: 0,
    stdout: 'institutionCode,name,swift\nTZ-AIRTEL,"Airtel, Tanzania",\nCORUTZTZ,CRDB Bank,\n',
  });
  expect((await ask("institutions --output ndjson", ok(body))).stdout).toBe(`${airtel}\n${bank}\n`);
});

test.each(['{"mobile":', '{"success":true,"result":{"mobile":'])(
  "institutions in groups %s… have the name of their group",
  async (start) => {
    const body = `${start}[${airtel}],"bank":[${bank}]}${start.includes("result") ? "}" : ""}`;
    const { stdout } = await ask("institutions --csv --columns group,institutionCode", ok(body));
    expect(stdout).toBe("group,institutionCode\nmobile,TZ-AIRTEL\nbank,CORUTZTZ\n");
  },
);

test("a table shows whatever fields the service sends", async () => {
  const { stdout } = await ask("institutions", ok(`[${airtel},${bank}]`));
  expect(stdout).toBe(`institution code  name              swift
TZ-AIRTEL         Airtel, Tanzania
CORUTZTZ          CRDB Bank
`);
});

const searches: readonly [string, string][] = [
  ["AIRTEL", "TZ-AIRTEL"],
  ["crdb", "CORUTZTZ"],
  ["4711", "NUMBER"],
  ["kilimo", "NESTED"],
];

test.each(searches)("--search %s finds %s, in any field and any case", async (text, code) => {
  const more = '{"institutionCode":"NUMBER","id":4711},{"institutionCode":"NESTED","names":{"sw":"Benki ya Kilimo"}}';
  const { stdout } = await ask(
    ["institutions", "--search", text, "--csv", "--columns", "institutionCode", "--no-header"],
    ok(`[${airtel},${bank},${more}]`),
  );
  expect(stdout).toBe(`${code}\n`);
});

test("without institutions the list is empty, and a table prints one sentence", async () => {
  expect(await ask("institutions --json", ok("[]"))).toMatchObject({ exit: 0, stdout: "[]\n", stderr: "" });
  expect(await ask("institutions --csv", ok("[]"))).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  const none = await ask("institutions --search zzz", ok(`[${airtel}]`));
  expect(none).toMatchObject({ exit: 0, stdout: "", stderr: "No institution has that text.\n" });
  expect(await ask("institutions", ok('{"mobile":[],"bank":[]}'))).toMatchObject({
    exit: 0,
    stderr: "The service lists no institutions.\n",
  });
});

test("a search keeps the columns of the whole list, whatever it finds", async () => {
  const both = ok(`[${airtel},${bank}]`);
  expect((await ask("institutions --search airtel --csv", both)).stdout).toBe(
    'institutionCode,name,swift\nTZ-AIRTEL,"Airtel, Tanzania",\n',
  );
  for (const nothing of ["--search zzz", "--where institutionCode=zzz"])
    expect(await ask(`institutions ${nothing} --csv`, both)).toMatchObject({
      exit: 0,
      stdout: "institutionCode,name,swift\n",
    });
});

test("names that a spreadsheet would run are guarded in CSV, as columns and as cells", async () => {
  const body = ok('[{"=1+1":"@SUM(A1)","code":"-7"}]');
  expect((await ask("institutions --csv", body)).stdout).toBe("'=1+1,code\n'@SUM(A1),'-7\n");
  expect((await ask("institutions --csv --raw", body)).stdout).toBe("=1+1,code\n@SUM(A1),-7\n");
});

test("fields named like properties of every object are ordinary fields", async () => {
  const body = ok('[{"__proto__":"a","constructor":"b","toString":"c"}]');
  expect((await ask("institutions --csv", body)).stdout).toBe("__proto__,constructor,toString\na,b,c\n");
  expect((await ask("institutions --output ndjson", body)).stdout).toBe(
    '{"__proto__":"a","constructor":"b","toString":"c"}\n',
  );
});

test.each(['{"result":{"A":"Airtel"}}', '["A","B"]', '"A"', "{}", "null", '[[{"code":"A"}]]'])(
  "%s is not a list of institutions: exit 5 and an empty stdout",
  async (body) => {
    expect(await ask("institutions --json", ok(body))).toMatchObject({ exit: 5, stdout: "" });
  },
);

test("a sandbox has no institutions: exit 2, and nothing is sent", async () => {
  for (const format of ["table", "json", "ndjson", "csv"]) {
    const result = await ask(`institutions --output ${format}`, ok("[]"), {
      environment: { PARTNER_ENVIRONMENT: "sandbox" },
    });
    expect(result).toMatchObject({ exit: 2, stdout: "", requests: [] });
    expect(result.stderr).toContain("nothing was sent");
  }
});

test("without PARTNER_ENVIRONMENT, institutions can be read, as with live", async () => {
  expect(await ask("institutions --json", ok("[]"))).toMatchObject({ exit: 0, requests: [expect.any(String)] });
});

test("the simulator has institutions like live, and as a sandbox it has none", async ({ partner, partnerIn }) => {
  const { exit, stdout } = await partner`institutions --json`;
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).not.toHaveLength(0);
  const sandbox = await partnerIn({ environment: { PARTNER_ENVIRONMENT: "sandbox" } })`institutions --json`;
  expect(sandbox).toMatchObject({ exit: 2, stdout: "" });
  expect(errorIn(sandbox)).toMatchObject({ ending: "usage", http: null, requestId: null });
});
