import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test as simulated } from "../simulated.ts";

const test = simulated.extend({ extensions: true });

const hint = "Hint: Fix the command line or the input file; nothing was sent.\n";
const rest = "--amount 1500 --narration lunch --reference INV-1 --callback-url https://hooks.example --retries 0 --yes";

test.for([
  ["AIRTEL", "TZ-AIRTEL-C2B"],
  ["tz-airtel-c2b", "TZ-AIRTEL-C2B"],
  ["TZ-AIRTEL", "TZ-AIRTEL-C2B"],
  ["AIRTEL-C2B", "TZ-AIRTEL-C2B"],
  ["TZ_TIGO_C2B", "TZ-TIGO-C2B"],
  ["TZ-TIGO-CB2", "TZ-TIGO-C2B"],
  ["TZ-AIRTEL-C2", "TZ-AIRTEL-C2B"],
  ["AIRTLE", "TZ-AIRTEL-C2B"],
  ["vodacom", "TZ-VODACOM-C2B"],
] as const)("collect --channel %s is refused, and %s is suggested", async ([typed, meant], { partner, simulator }) => {
  for (const more of ["", "--dry-run", "--check-statement never"]) {
    const { exit, stderr } = await partner`collect --msisdn 255782345678 --channel ${typed} ${rest} ${more}`;
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: `Error: --channel "${typed}" isn't a channel that the specification names. Did you mean ${meant}?\n${hint}`,
    });
  }
  expect(simulator.world.collections.size).toBe(0);
});

test.for([
  ["TZ-HALOTEL-C2B", "255622345678"],
  ["FOOPAY", "255782345678"],
  ["UG-MTN-C2B", "255782345678"],
  ["FOOPAY", "254712345678"],
] as const)(
  "%s is sent unchanged for %s, with a warning, whichever checks are on",
  async ([channel, msisdn], { partner }) => {
    for (const more of ["--dry-run", "", "--reference INV-2 --check-statement never --again"]) {
      const line = more.includes("INV-2") ? rest.replace("--reference INV-1 ", "") : rest;
      const { exit, stderr } = await partner`collect --msisdn ${msisdn} --channel ${channel} ${line} ${more}`;
      expect(stderr).toContain(`The specification does not name the channel ${channel} `);
      expect(stderr).not.toContain("no default collection wallet");
      expect(exit).toBe(0);
    }
  },
);

test("a wrong channel in a batch row is refused, and the right one is suggested", async ({ partner }) => {
  const file = join(temporaryFolder(), "rows.csv");
  writeFileSync(file, "reference,msisdn,channel,amount\nINV-1,255782345678,AIRTEL,1500\n");
  const shared = "--kind collect --narration lunch --callback-url https://hooks.example --yes";
  const { exit, stderr } = await partner`batch run ${file} ${shared}`;
  expect(exit).toBe(2);
  expect(stderr).toContain(
    `channel: "AIRTEL" isn't a channel that the specification names. Did you mean TZ-AIRTEL-C2B?`,
  );
});

test.for([
  ["255782345678", "AIRTEL", "TZ-AIRTEL-B2C"],
  ["255712345678", "TZ-TIGO", "TZ-TIGO-B2C"],
  ["CORUTZTZ:0150000111222", "BANK", "TZ-BANK-B2C or KE-BANK-B2C"],
] as const)("payout --to %s --channel %s is refused, and %s is suggested", async ([to, typed, meant], { partner }) => {
  const { exit, stderr } = await partner`payout --from 9000112233 --to ${to} --channel ${typed} --name A ${rest}`;
  expect({ exit, stderr }).toEqual({
    exit: 2,
    stderr: `Error: --channel "${typed}" isn't a channel that the documentation names. Did you mean ${meant}?\n${hint}`,
  });
});
