import { stripVTControlCharacters } from "node:util";
import { describe, expect } from "vitest";
import type { PromptAnswer } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { leave } from "../no-answer.ts";
import { now, test } from "../simulated.ts";
import { run, words } from "../partner.ts";
import { ask } from "./served.ts";

const person = (...answers: PromptAnswer[]) => ({
  terminal: { stdin: true, stdout: true, stderr: true },
  columns: 500,
  answers,
  now,
  environment: { PARTNER_CONFIG_DIR: temporaryFolder() },
});

describe("a money command on a terminal", () => {
  test("a transfer prompts for wallets, amount and description, then prints the command without questions", async ({
    partnerIn,
  }) => {
    const partner = partnerIn(person("9000112233", "9000112244", "250000", "Salaries, week 40", true));
    const { exit, stdout, stderr } = await partner`transfer --reference SAL-1`;
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /^Sent TZS 250,000\.00 from 9000112233 to .* \(9000112244\), reference SAL-1\. Balance now /,
    );
    expect(stderr).toContain(
      "You are asked for what is missing. At the end you can change every answer; nothing is sent before you say yes. Ctrl-C ends it.\n",
    );
    expect(stderr).toContain("\n  (y to send it, n not to send it, e to edit)\n");
    expect(stderr).toContain(
      "The same without questions: partner transfer --from 9000112233 --to 9000112244 --amount 250000 --description 'Salaries, week 40' --reference SAL-1\n",
    );
  });

  test("only missing values are asked for, and a wrong answer gets the words of a wrong flag", async ({
    partnerIn,
  }) => {
    const line = "transfer --from 9000112233 --to 9000112244 --description rent";
    expect((await partnerIn(person("5000", true))`${line}`).exit).toBe(0);
    for (const amount of ["1,000", "0", "-5", "five"]) {
      const wrong = await partnerIn(person(amount))`${line}`;
      expect(wrong.exit).toBe(1);
      const [, words = ""] = /was not accepted: (.+)/.exec(wrong.stderr) ?? [];
      expect(words).not.toBe("");
      const flag = await partnerIn(person())`${line} --amount=${amount}`;
      expect(flag.exit).toBe(2);
      const told = stripVTControlCharacters(flag.stderr).replace(/^Error: --amount /, "The amount ");
      expect(told.replace("\nHint: ", " ").replace("like --amount ", "like ")).toContain(words);
    }
  });

  test("prompts complete a withdrawal and a collection; the prefix gives the channel", async ({ partnerIn }) => {
    expect((await partnerIn(person("9000112233", "1500.50", "October", true))`withdraw`).stdout).toMatch(
      /^Withdrew TZS 1,500\.50 /,
    );
    const collect = partnerIn(person("0712 345 678", "15000", "Invoice 42", true));
    const { exit, stdout, stderr } = await collect`collect --callback-url https://h.example/x`;
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^Asked 255712345678 to pay TZS 15,000\.00; /);
    expect(stderr).toContain("Channel TZ-TIGO-C2B, by the number's prefix; --channel names another.\n");
    expect(stderr).toContain("partner collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 15000 ");
  });

  test("a collection asks for a missing callback URL and keeps it through an edit", async ({ partnerIn }) => {
    const line = "collect --msisdn 0712345678 --amount 15000 --narration n --reference C-1";
    const partner = partnerIn(person(" https://h.example/x ", "edit", "amount", "7000", true));
    const { exit, stdout, stderr } = await partner`${line}`;
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^Asked 255712345678 to pay TZS 7,000\.00; /);
    expect(stderr).toContain(
      "The service reports the outcome to a callback URL, and none is known. To wait for it here instead: --wait\n",
    );
    expect(stderr).toMatch(
      /The same without questions: [^\n]* --callback-url https:\/\/h\.example\/x --reference C-1\n/,
    );
    expect((await partnerIn(person("not a URL"))`${line} --again`).stderr).toContain("was not accepted");
    for (const more of ["--yes", "--dry-run", "--no-input"])
      expect(await partnerIn(person())`${line} ${more}`).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining("There is no address at which the service can report the outcome"),
      });
  });

  test("a collection asks for the channel when the prefix is unknown", async ({ partnerIn }) => {
    const line = "collect --msisdn 0612345678 --amount 15000 --narration n --callback-url https://h.example/x";
    const { exit, stderr } = await partnerIn(person("TZ-AIRTEL-C2B", true))`${line}`;
    expect(exit).toBe(0);
    expect(stderr).toContain(" --channel TZ-AIRTEL-C2B ");
  });

  test("a no sends nothing, at the question or before", async ({ partnerIn, simulator }) => {
    const before = simulator.world.wallet("9000112233").balance.toString();
    const answers = ["9000112233", "9000112244", "250000", "d", false] as const;
    for (let given = 0; given < answers.length; given += 1) {
      const refused = await partnerIn(
        person(...answers.slice(0, given), given === answers.length - 1 ? false : leave),
      )`transfer`;
      expect(refused).toMatchObject({ exit: 130, stdout: "" });
      expect(refused.stderr).toMatch(/Nothing was (?:sent\.\n$|done: the question was not answered\.\n)/);
    }
    expect(simulator.world.wallet("9000112233").balance.toString()).toBe(before);
  });

  test('"edit" changes one value, asks again, and sends the edited order', async ({ partnerIn }) => {
    const partner = partnerIn(person("edit", "amount", "7000", "edit", "to", "9000112244", true));
    const { exit, stdout, stderr } =
      await partner`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-1`;
    expect({ exit, stderr: stderr.match(/Transfer [\d,.]+ TZS/g) }).toEqual({
      exit: 0,
      stderr: ["Transfer 5,000.00 TZS", "Transfer 7,000.00 TZS", "Transfer 7,000.00 TZS"],
    });
    expect(stdout).toMatch(/^Sent TZS 7,000\.00 /);
    const { stdout: rows } = await partner`wallet statement 9000112233 --today --where narration~R-1 --csv --no-header`;
    expect(rows.trimEnd().split("\n")).toHaveLength(1);
  });

  test("editing nothing returns to the question", async ({ partnerIn }) => {
    const partner = partnerIn(person("edit", "", true));
    const { exit, stdout, stderr } =
      await partner`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-1`;
    expect({ exit, asked: stderr.match(/Transfer [\d,.]+ TZS/g) }).toEqual({
      exit: 0,
      asked: ["Transfer 5,000.00 TZS", "Transfer 5,000.00 TZS"],
    });
    expect(stdout).toMatch(/^Sent TZS 5,000\.00 /);
  });

  test("the channel by the number's prefix is offered first, also where the specification does not name it", async ({
    partnerIn,
  }) => {
    const partner = partnerIn(person("TZ-VODACOM-C2B", true));
    const line = "collect --msisdn 0754123456 --amount 15000 --narration n --callback-url https://h.example/x";
    const { exit, stderr } = await partner`${line}`;
    expect(stderr).toContain("channel      TZ-VODACOM-C2B\n");
    expect(stderr).toContain("Warning: The specification does not name the channel TZ-VODACOM-C2B ");
    expect(exit).toBe(0);
    expect(await partnerIn(person())`${line} --no-input --yes`).toMatchObject({ exit: 2 });
  });

  test("a warning is printed directly above the question", async ({ partnerIn }) => {
    const partner = partnerIn(person(true));
    const { stderr } =
      await partner`collect --msisdn 255712345678 --channel TZ-AIRTEL-C2B --amount 15000 --narration n --callback-url https://h.example/x`;
    expect(stderr).toMatch(
      /\n {2}reference +\S+\n {2}\(y to send it, n not to send it, e to edit\)\nWarning: 255712345678 does not look like a number of AIRTEL;[^\n]*\n$/,
    );
  });
});

test.each([
  "transfer --from 9000112233 --to 9000112244 --amount 5000",
  "withdraw --account 9000112233 --narration rent",
  "collect --amount 5000 --narration lunch --callback-url https://h.example/x",
  "remit",
])("without a profile or variables, nothing is asked: %s", async (line) => {
  const { exit, stderr } = await run(words(line), person());
  expect(exit).toBe(3);
  expect(stripVTControlCharacters(stderr)).toMatch(/^Error: There is no profile yet in /);
});

test("off a terminal, and with --no-input or --yes, all missing flags are named", async ({ partnerIn }) => {
  for (const [world, more] of [
    [{}, ""],
    [person(), "--no-input"],
    [person(), "--yes"],
  ] as const) {
    const { exit, stdout, stderr } = await partnerIn(world)`transfer --to 9000112244 ${more}`;
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain("--from, --amount and --description are missing.");
  }
});

test.each([
  ["0712345678", "TZ-TIGO-C2B"],
  ["+255 78 234 5678", "TZ-AIRTEL-C2B"],
])("off a terminal the prefix of %s gives the channel %s", async (number, channel) => {
  const { requests, stderr } = await ask(
    [
      "collect",
      "--msisdn",
      number,
      "--amount",
      "15000",
      "--narration",
      "n",
      "--callback-url",
      "https://h.example/x",
      "--yes",
      "--check-statement",
      "never",
    ],
    "HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n",
  );
  expect(stderr).toContain(`Channel ${channel}, by the number's prefix; --channel names another.\n`);
  expect(requests.join("\n")).toContain(`"channel":"${channel}"`);
});

test.each(["0712-345-678", "712345678", "712 345 678", "+255 712 345 678", "255-712-345-678", "00255712345678"])(
  "%s is normalized to 255712345678 in a collection",
  async (number) => {
    const line = "--amount 5 --narration n --callback-url https://h.example/x --yes --check-statement never";
    const answer = "HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n";
    const { requests } = await ask(["collect", "--msisdn", number, ...line.split(" ")], answer);
    expect(requests.join("\n")).toContain('"msisdn":"255712345678"');
  },
);

test("an unknown prefix makes --channel required", async () => {
  const { exit, stderr, requests } = await ask(
    "collect --msisdn 0612345678 --amount 5 --narration n --callback-url https://h.example/x --yes",
  );
  expect({ exit, requests }).toEqual({ exit: 2, requests: [] });
  expect(stderr).toContain("--channel is missing, and the number's prefix does not say which.");
  expect(stderr).toContain("Hint: The specification names two: --channel TZ-TIGO-C2B or --channel TZ-AIRTEL-C2B.\n");
});

test("the environment live is shown in red, the simulator is not", async ({ partnerIn, simulator }) => {
  const line = "transfer --from 9000112233 --to 9000112244 --amount 5000 --description d";
  const red = "\u001b[1;31mlive\u001b[0m (";
  const live = {
    ...person(false),
    environment: { PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_ENVIRONMENT: "live" },
  };
  expect((await partnerIn(live)`${line}`).stderr).toContain(red);
  const plain = { ...live, environment: { ...live.environment, NO_COLOR: "1" } };
  expect((await partnerIn({ ...plain, answers: [false] })`${line}`).stderr).not.toContain("\u001b");
  const test = { ...live, environment: { ...live.environment, PARTNER_ENVIRONMENT: "simulator" } };
  expect((await partnerIn({ ...test, answers: [false] })`${line}`).stderr).not.toContain("\u001b[1;31m");
  expect(simulator.world.wallet("9000112233").entries.length).toBeGreaterThan(0);
});
