import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { PromptAborted } from "../../src/host/process/prompts.ts";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { atTerminal, draftFile, remit, remittance, remittanceWith, sender } from "./remittance.ts";

/** Every question of the form in order; the rate gives the receiver's amount. */
const everything: readonly (readonly [question: string, answer: string])[] = [
  ["Sender's legal name", "Zoë Mwangá"],
  ["Sender's nationality (two letters, such as KE)", "ke"],
  ["Sender's country of residence (two letters, such as KE)", " KE "],
  ["Kind of the sender's id", "PASSPORT"],
  ["Number of the sender's id", "A1234567"],
  ["Sender's date of birth (YYYY-MM-DD)", "1990-02-28"],
  ["Sender's phone number", "254700000000"],
  ["Sender's address", "12 Riverside Drive"],
  ["Source of the funds (such as a salary)", "salary"],
  ["Purpose (such as family support)", "education"],
  ["Receiver's legal name", "Amina Juma"],
  ["Receiver's phone number (such as 255712345678)", "0712 345 678"],
  ["Currency of the sender (three letters, such as USD)", "usd"],
  ["Amount in the sender's currency", "100.50"],
  ["Shillings for one unit of the sender's currency", "2500"],
  ["Whole shillings for the receiver", "251250"],
  ["Description for the receiver", "School fees"],
  ["Channel", "MOBILE"],
  ["Mobile operator or bank", "TZ-TIGO-B2C"],
  ["Mobile number or account to be credited", "255712345678"],
  ["URL to which the service reports updates", "https://partner.example/hook"],
];
const questions = everything.map(([question]) => question);
const answers = everything.map(([, answer]) => answer);

test("remit on a terminal asks for everything, shows the order, and sends it after yes", async ({ simulator }) => {
  const sent = await remit(simulator, ["--reference", "INV-42", "--json"], atTerminal([...answers, true]));
  expect(sent.host.asked).toEqual([...questions, "Send this remittance?"]);
  expect(sent).toMatchObject({ exit: 0 });
  expect(sent.stderr)
    .toBe(`You are asked for what is missing or wrong. At the end you can change every answer; nothing is sent before you say yes. Ctrl-C ends it.
Remit 251,250.00 TZS to Amina Juma
  sender       Zoë Mwangá (KE), 254700000000
  receiver     Amina Juma, 255712345678
  account      255712345678
  through      Tigo Pesa (TZ-TIGO-B2C, MOBILE)
  sender pays  100.50 USD, at 2,500, before fees
  description  School fees
  callback     https://partner.example/hook
  profile      none (from the environment)
  environment  simulator (${simulator.baseUrl})
  account id   simulator (PARTNER_ACCOUNT_ID)
  secret key   PARTNER_SECRET_KEY
  reference    INV-42
  (y to send it, n not to send it, e to edit)
The same without questions: partner remit --reference INV-42 --callback-url https://partner.example/hook --description 'School fees' --sender-currency USD --sender-amount 100.50 --receiver-amount 251250 --exchange-rate 2500 --receiver-channel MOBILE --institution-code TZ-TIGO-B2C --receiver-account '…' --sender-full-name '…' --sender-nationality KE --sender-country-code KE --sender-id-type PASSPORT --sender-id-number '…' --sender-date-of-birth '…' --sender-phone-number '…' --sender-address '…' --sender-source-of-funds-declaration salary --sender-purpose-of-transaction education --receiver-full-name '…' --receiver-phone-number '…'
`);
  expect(JSON.parse(sent.stdout)).toMatchObject({
    state: "pending",
    request: { senderAmount: 100.5, sender: { nationality: "KE" }, receiver: { phoneNumber: "255712345678" } },
  });
});

test("a sender's phone number with letters causes a warning at the question", async ({ simulator }) => {
  const mistyped = answers.map((answer) => (answer === "254700000000" ? "Moi Avenue 1" : answer));
  const { stderr } = await remit(simulator, ["--reference", "INV-43"], atTerminal([...mistyped, false]));
  expect(stderr).toContain(`Warning: The sender's phone number "Moi Avenue 1" has letters.\n`);
});

/** Ctrl-C at a question. */
function end(): never {
  throw new PromptAborted("The question was not answered");
}

test("aborting the questions prints the command line so far, without personal data", async ({ simulator }) => {
  const ended = await remit(simulator, ["--reference", "INV-47"], atTerminal([...answers.slice(0, 4), end]));
  expect(ended).toMatchObject({ exit: 130, stdout: "" });
  expect(ended.stderr).toContain(
    "Your answers so far, without personal data: partner remit --reference INV-47 --sender-full-name '…' --sender-nationality KE --sender-country-code KE --sender-id-type PASSPORT\n",
  );
  const atOnce = await remit(simulator, ["--reference", "INV-48"], atTerminal([end]));
  expect(atOnce.stderr).not.toContain("Your answers so far");
});

test("a placeholder in the printed command is asked for again, and refused off a terminal", async ({ simulator }) => {
  const asPrinted = [
    "--from-file",
    draftFile(remittance),
    "--sender-id-number",
    "…",
    "--sender-address",
    "…",
    "--json",
  ];
  const bank = ["--receiver-channel", "BANK", "--institution-code", "CORUTZTZ", "--receiver-account", "…"];
  const refused = await remit(simulator, [...asPrinted, ...bank, "--yes"]);
  expect(refused).toMatchObject({ exit: 2, stdout: "" });
  for (const flag of ["--sender-id-number", "--sender-address", "--receiver-account"])
    expect(refused.stderr).toMatch(new RegExp(`${flag}: \\S+ must be filled in`));
  expect(simulator.world.remittances.size).toBe(0);
  const asked = await remit(simulator, asPrinted, atTerminal(["A1234567", "Mwanza 1", true]));
  expect(asked.host.asked).toEqual(["Number of the sender's id", "Sender's address", "Send this remittance?"]);
  expect(JSON.parse(asked.stdout).request.sender).toMatchObject({ idNumber: "A1234567", address: "Mwanza 1" });
});

test('"edit" changes one field, asks for whatever becomes invalid, and sends the result', async ({ simulator }) => {
  const changes = ["edit", "receiver.fullName", "Amina J. Juma", "edit", "receiverChannel", "BANK", "CORUTZTZ", true];
  const sent = await remit(simulator, ["--reference", "INV-43", "--json"], atTerminal([...answers, ...changes]));
  expect(sent).toMatchObject({ exit: 0 });
  expect(sent.host.asked.slice(questions.length)).toEqual([
    "Send this remittance?",
    "What should change?",
    "Receiver's legal name",
    "Send this remittance?",
    "What should change?",
    "Channel",
    "Mobile operator or bank",
    "Send this remittance?",
  ]);
  expect(JSON.parse(sent.stdout)).toMatchObject({
    reference: "INV-43",
    request: { receiverChannel: "BANK", institutionCode: "CORUTZTZ", receiver: { fullName: "Amina J. Juma" } },
  });
  expect(simulator.world.remittances.size).toBe(1);
  expect(sent.stderr.match(/The same without questions/g)).toHaveLength(1);
});

test("editing nothing returns to the question, and the same order is sent", async ({ simulator }) => {
  const world = atTerminal(["edit", "", true]);
  const sent = await remit(simulator, ["--from-file", draftFile(remittance), "--reference", "INV-44", "--json"], world);
  expect(sent).toMatchObject({ exit: 0 });
  expect(sent.host.asked).toEqual(["Send this remittance?", "What should change?", "Send this remittance?"]);
  expect(JSON.parse(sent.stdout)).toMatchObject({ reference: "INV-44", request: { receiverAmount: 250000 } });
});

test("the summary before the question does not show the id number", async ({ simulator }) => {
  const sent = await remit(simulator, [], atTerminal([...answers, "edit", "description", "Fees", false]));
  expect(sent).toMatchObject({ exit: 130, stdout: "" });
  expect(sent.stderr).not.toContain("A1234567");
  expect(simulator.world.remittances.size).toBe(0);
});

test("answering no sends nothing and prints the command with the answers", async ({ simulator }) => {
  const ended = await remit(simulator, [], atTerminal([...answers, false]));
  expect(ended).toMatchObject({ exit: 130, stdout: "" });
  expect(ended.stderr).toContain("The same without questions: partner remit ");
  expect(simulator.world.remittances.size).toBe(0);
});

test("only missing or invalid fields are asked for, with the reason", async ({ simulator }) => {
  const draft = draftFile(
    remittanceWith({ "sender.idNumber": "", "sender.idExpiryDate": "2026-01-01", institutionCode: "CORUTZTZ" }),
  );
  const world = atTerminal(["A1234567", "2027-01-01", "1000", "TZ-TIGO-B2C", true]);
  const sent = await remit(simulator, ["--from-file", draft, "--receiver-amount", "999"], world);
  expect(sent).toMatchObject({ exit: 0 });
  expect(sent.host.asked).toEqual([
    "Number of the sender's id",
    "Last day of the sender's id (YYYY-MM-DD)",
    "Whole shillings for the receiver",
    "Mobile operator or bank",
    "Send this remittance?",
  ]);
  expect(sent.stderr.split("\n").slice(1, 4)).toEqual([
    "sender.idExpiryDate has passed: the id is no longer valid.",
    "receiverAmount must be a whole amount of at least 1000.",
    "institutionCode is not of the channel MOBILE.",
  ]);
  expect(sent.stderr).toContain("Warning: At that rate the sender's amount is 250,000.00 TZS; ");
  expect(sent.stderr).toMatch(
    /: partner remit --from-file \S+ --reference \S+ --receiver-amount 1000 --institution-code TZ-TIGO-B2C --sender-id-number '…' --sender-id-expiry-date '…'\n/,
  );
});

test("a complete draft only needs the final yes", async ({ simulator }) => {
  const sent = await remit(simulator, ["--from-file", draftFile(remittance)], atTerminal([true]));
  expect(sent).toMatchObject({ exit: 0, host: { asked: ["Send this remittance?"] } });
  expect(sent.stderr).not.toContain("without questions");
});

test("with --no-input missing fields are named and nothing is asked", async ({ simulator }) => {
  const ended = await remit(simulator, ["--no-input"], atTerminal([]));
  expect(ended).toMatchObject({ exit: 2, host: { asked: [] } });
  expect(ended.stderr).toContain("--sender-full-name: sender.fullName is required");
});

test("a draft on stdin leaves no questions: missing fields are named", async ({ simulator }) => {
  const world = { ...atTerminal([]), stdin: JSON.stringify(remittanceWith({ description: "" })) };
  const ended = await remit(simulator, ["--from-file", "-"], world);
  expect(ended).toMatchObject({ exit: 2, host: { asked: [] } });
  expect(ended.stderr).toContain("--description: description is required");
});

test("a dry run asks the person but not the service", async ({ simulator }) => {
  const draft = draftFile(remittanceWith({ institutionCode: "", description: "" }));
  const world = {
    ...atTerminal(["Rent", "NOBODY-KNOWS"]),
    host: { transport: () => Promise.resolve(() => Promise.reject(new Error("Nothing is to be asked."))) },
  };
  const dry = await remit(simulator, ["--from-file", draft, "--dry-run", "--json"], world);
  expect(dry).toMatchObject({ exit: 0 });
  expect(dry.host.asked).toEqual(["Description for the receiver", "Mobile operator or bank"]);
  expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, request: { institutionCode: "NOBODY-KNOWS" } });
});

test("missing credentials are reported before the first question", async ({ simulator }) => {
  const ended = await remit(simulator, [], { ...atTerminal([]), environment: { PARTNER_SECRET_KEY: "" } });
  expect(ended).toMatchObject({ exit: 3, host: { asked: [] } });
});

test("--save-sender saves the sender after the yes without the id number, for --sender-from", async ({ simulator }) => {
  const path = join(temporaryFolder(), "zoe.json");
  const words = ["--from-file", draftFile(remittance), "--save-sender", path];
  await remit(simulator, words, atTerminal([false]));
  await remit(simulator, [...words, "--dry-run"], atTerminal([]));
  expect(existsSync(path)).toBe(false);
  await remit(simulator, words, atTerminal([true]));
  const { idNumber, ...kept } = sender;
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(kept);
  expect(readFileSync(path, "utf8")).not.toContain(idNumber);
  expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  const again = ["--sender-from", path, "--from-file", draftFile(remittanceWith({ sender: {} })), "--yes", "--json"];
  const sent = await remit(simulator, [...again, "--sender-id-number", "B7"]);
  expect(JSON.parse(sent.stdout).request.sender).toEqual({ ...kept, idNumber: "B7" });
  const asked = await remit(simulator, [...again, "--reference", "INV-7"], atTerminal(["A1234567"]));
  expect(asked.host.asked).toEqual(["Number of the sender's id"]);
  expect(asked.stderr).toMatch(
    /: partner remit --from-file \S+ --sender-from \S+ --reference INV-7 --sender-id-number '…'\n/,
  );
});

test("--save-sender makes an existing readable file private", async ({ simulator }) => {
  const path = join(temporaryFolder(), "zoe.json");
  writeFileSync(path, "{}", { mode: 0o644 });
  await remit(simulator, ["--from-file", draftFile(remittance), "--save-sender", path, "--yes"]);
  expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
});

test("a flag overrides the sender's file, and the sender's file overrides the draft", async ({ simulator }) => {
  const path = join(temporaryFolder(), "zoe.json");
  writeFileSync(path, JSON.stringify({ address: "Mombasa", occupation: "nurse" }));
  const words = ["--from-file", draftFile(remittance), "--sender-from", path, "--sender-occupation", "doctor"];
  const sent = await remit(simulator, [...words, "--yes", "--json"]);
  expect(JSON.parse(sent.stdout).request.sender).toEqual({ ...sender, address: "Mombasa", occupation: "doctor" });
});

test.for([
  ["--save-sender", "/nowhere/zoe.json", "cannot be written"],
  ["--sender-from", "/nowhere/zoe.json", "cannot be read"],
] as const)("%s %s that cannot be used is reported before questions", async ([flag, path, said], { simulator }) => {
  const ended = await remit(simulator, [flag, path], atTerminal([]));
  expect(ended).toMatchObject({ exit: 2, stdout: "", host: { asked: [] } });
  expect(ended.stderr).toContain(`Error: ${flag} "${path}" ${said}: `);
});

test("a sender's file with unknown or mistyped fields is refused", async ({ simulator }) => {
  const path = join(temporaryFolder(), "zoe.json");
  writeFileSync(path, JSON.stringify({ fullName: "Zoë", nickname: "Z", dateOfBirth: 1990 }));
  const ended = await remit(simulator, ["--sender-from", path, "--yes"]);
  expect(ended.exit).toBe(2);
  expect(ended.stderr).toMatch(/sender\.nickname is not a field of a remittance\n.*sender\.dateOfBirth must be text/);
});
