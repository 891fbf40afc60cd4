import { expect } from "vitest";
import { test } from "../simulated.ts";
import { draftFile, remittanceWith } from "./remittance.ts";
import { errorIn } from "./served.ts";

// All that is wrong with an order is reported at once, whichever check finds it.

test("values that can't be read and an order that isn't allowed are reported together", async ({
  partner,
  simulator,
}) => {
  const before = simulator.world.wallet("9000112233").balance.toString();
  const ended = await partner`transfer --from 9000112233 --to 9000112233 --amount 1e3 --description "" --json`;
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(errorIn(ended)).toMatchObject({
    ending: "usage",
    money: "not moved",
    message: '--amount "1e3" is not an amount. --description is empty. --to "9000112233" is the wallet that pays.',
  });
  expect(simulator.world.wallet("9000112233").balance.toString()).toBe(before);
});

test("a transfer to the paying wallet is refused before the question, and in a dry run, too", async ({ partner }) => {
  const line = "--from 9000112233 --to 9000112233 --amount 5 --description x";
  for (const more of ["", "--dry-run", "--yes"]) {
    const ended = await partner`transfer ${line} ${more}`;
    expect(ended).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining("is the wallet that pays.") });
  }
});

test("an invalid callback address is reported along with the other faults of a collection", async ({ partner }) => {
  const line = "--msisdn 12 --channel TZ-TIGO-C2B --amount 1.5 --narration x --json";
  const { message } = errorIn(await partner`collect ${line} --callback-url ftp://x`);
  for (const fault of ['--msisdn "12"', '--amount "1.5"', '"ftp://x" must be an https URL'])
    expect(message).toContain(fault);
  // A missing address is reported, too.
  expect(errorIn(await partner`collect ${line}`).message).toContain("no address at which the service can report");
  // An empty address is not called missing as well.
  expect(errorIn(await partner`collect ${line} --callback-url ""`).message).not.toContain("no address");
});

test("faults of flags and draft and missing fields of a remittance are reported together, each once", async ({
  partner,
}) => {
  const draft = draftFile({
    ...remittanceWith({ "receiver.phoneNumber": "12", senderAmount: "100", institutionCode: "" }),
    colour: "red",
  });
  const ended = await partner`remit --from-file ${draft} --timeout 5 --sender-full-name "" --yes --json`;
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  const { message, details } = errorIn(ended);
  expect(message).toContain('--sender-full-name is empty. --timeout "5" isn\'t a valid length of time.');
  expect(details).toEqual({
    "--timeout": '--timeout "5" isn\'t a valid length of time.',
    senderAmount: "senderAmount must be a number, without quotes",
    colour: "colour is not a field of a remittance",
    "--institution-code": "institutionCode is required",
    "--receiver-phone-number": expect.stringContaining("255 and nine digits"),
  });
  const sent = await partner`remit --from-file ${draft} --yes --json`;
  expect(Object.keys(Object(errorIn(sent).details))).toHaveLength(4);
});

test("a useless --wait-for and missing fields are reported together", async ({ partner }) => {
  const { message, details } = errorIn(await partner`remit --wait-for 3m --receiver-amount 5 --yes --json`);
  expect(message).toContain("Without --wait, --wait-for would have no effect.");
  expect(details).toMatchObject({ "--receiver-amount": expect.any(String), "--sender-full-name": expect.any(String) });
});

test("on a terminal, missing fields are asked for, not reported", async ({ partnerIn }) => {
  const partner = partnerIn({ terminal: { stdin: true, stderr: true } });
  const ended = await partner`remit --timeout 5 --receiver-phone-number 12`;
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(ended.stderr).toContain("--receiver-phone-number: receiver.phoneNumber must be 255");
  expect(ended.stderr).not.toContain("is required");
});

test("a hint that ends in a command is separated from the next hint", async ({ partner }) => {
  expect(await partner`schema -o csv`).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining(
      "Hint: See what it takes: partner schema --help. Every command: partner --help. Leave it out.\n",
    ),
  });
});
