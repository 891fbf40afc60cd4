import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";
import { now } from "../simulated.ts";

// A remittance as in section 2.1 of the specification, written by hand.

export const sender = {
  fullName: "Zoë Mwangá",
  nationality: "KE",
  countryCode: "KE",
  idType: "PASSPORT",
  idNumber: "A1234567",
  dateOfBirth: "1990-02-28",
  phoneNumber: "254700000000",
  address: "12 Riverside Drive, Nairobi",
  sourceOfFundsDeclaration: "salary",
  purposeOfTransaction: "education",
};

export const receiver = { fullName: "Amina Juma", phoneNumber: "255712345678", countryCode: "TZ" };

export const remittance = {
  callbackUrl: "https://partner.example/hook",
  description: "School fees",
  senderCurrency: "USD",
  senderAmount: 100,
  receiverCurrency: "TZS",
  receiverAmount: 250000,
  exchangeRate: 2500,
  receiverChannel: "MOBILE",
  institutionCode: "TZ-TIGO-B2C",
  receiverAccount: "255712345678",
  sender,
  receiver,
};

/** Changes to the remittance above, by path; undefined removes a field. */
export type Changes = Readonly<Record<string, unknown>>;

/** The remittance above with some fields changed. */
export function remittanceWith(changes: Changes): Record<string, unknown> {
  const body: Record<string, Record<string, unknown>> = structuredClone(Object(remittance));
  for (const [path, value] of Object.entries(changes)) {
    const [first = "", second] = path.split(".");
    if (second === undefined) Object.assign(body, { [first]: value });
    else Object.assign(Object(body[first]), { [second]: value });
  }
  return body;
}

/** Writes a file for `--from-file` and returns its path. */
export function draftFile(content: unknown): string {
  const path = join(temporaryFolder(), "draft.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** A terminal with a person who gives these answers and no others. */
export function atTerminal(answers: World["answers"]): World {
  const terminal = { stdin: true, stderr: true };
  return { terminal, environment: { NO_COLOR: "1" }, ...(answers === undefined ? {} : { answers }) };
}

/** Runs `partner remit` with these words against the simulator; the messages of its questions are in `host.asked`. */
export function remit(simulator: RunningSimulator, words: readonly string[], world: World = {}) {
  const environment = { ...environmentFor(simulator), ...world.environment };
  return run(["remit", ...words], { now, ...world, environment });
}
