import { expect } from "vitest";
import { test } from "../simulated.ts";
import { errorIn } from "./served.ts";

const order = "--channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference INV-1 --yes --json";

test("when a wait runs out, the message says that the request was accepted and does not mention money", async ({
  partner,
}) => {
  const ended = await partner`collect --msisdn 255712990003 ${order} --wait --wait-for 5s`;
  expect(ended).toMatchObject({ exit: 7 });
  expect(errorIn(ended)["message"]).toBe(
    "The service accepted the request, but no callback reported the outcome within 5s.",
  );
});

test("after a refused callback, the hint advises a new reference and says why the old one may fail", async ({
  partnerIn,
  simulator,
}) => {
  const ended = await partnerIn({ meanwhile: () => simulator.idle() })`collect --msisdn 255710990001 ${order} --wait`;
  expect(ended).toMatchObject({ exit: 4 });
  expect(errorIn(ended)["hint"]).toBe(
    "To try again, use a new reference. The service knows this one now and may call a second order under it a duplicate.",
  );
});

const typed = "--msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference INV-1";

test.for([
  ["--wait", "this machine, a free port"],
  ["--wait --listen 127.0.0.1:8080", "this machine, port 8080"],
  ["--wait --callback-url https://hooks.example/in", "https://hooks.example/in, with a secret path added"],
  ['--wait --tunnel "tunnel {port}"', "the address that the tunnel prints, with a secret path added"],
  ["--callback-url https://hooks.example/in", "https://hooks.example/in"],
] as const)("the question says where the outcome will be reported: %s", async ([flags, words], { partnerIn }) => {
  const terminal = { stdin: true, stdout: true, stderr: true };
  const { stderr } = await partnerIn({ terminal, answers: [false], columns: 120 })`collect ${typed} ${flags}`;
  expect(stderr).toContain(`\n  callback     ${words}\n`);
});

test.for(["", "--wait", "--wait --listen 127.0.0.1:0"])(
  "an invalid callback address is reported under the flag that was typed: %s",
  async (flags, { partner }) => {
    const ended = await partner`collect ${typed} ${flags} --callback-url ftp://x --yes --json`;
    const message = '--callback-url "ftp://x" must be an https URL (http is only for this machine).';
    expect(errorIn(ended)).toMatchObject({ message, details: { "--callback-url": message } });
  },
);
