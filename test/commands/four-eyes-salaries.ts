import { expect } from "vitest";
import { openDesk } from "./batch-service.ts";
import type { Office } from "./four-eyes.ts";

// Salaries that one person submits and another approves, and personal data that is left in the database.

export const personal = /ASHA|JUMA|255712000111|712000111|Salary March/i;
export const payout = { environment: { PARTNER_EXTENSIONS: "payout" } };
export const salaries = (...references: readonly string[]) => {
  const rows = references.map((name) => `${name},9000112233,255712000111,${name.slice(2)}000,Salary March,ASHA JUMA\n`);
  return `reference,from,to,amount,narration,name\n${rows.join("")}`;
};
/** Long after today: decisions are dated by the server's clock. */
export const later = { now: Date.now() + 500 * 86_400_000 };
export const redact = "journal redact --older-than 400d --yes --json";

/** Submits salaries in a file named after their receiver. */
export async function submit(office: Office, ...references: readonly string[]): Promise<string> {
  const file = openDesk().write(salaries(...references), "ASHA_JUMA.csv");
  const { stdout, stderr } = await office.at("amina", payout)`batch submit ${file} --kind payout --json`;
  expect(stderr).not.toContain("Error");
  return String(JSON.parse(stdout).batch);
}

/** Submits one salary, and has it approved and paid. */
export async function paid(office: Office, reference = "S-1"): Promise<string> {
  const batch = await submit(office, reference);
  expect(await office.at("baraka")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
  await settled(office, batch);
  return batch;
}

/** Runs an approved batch to its end. */
export async function settled(office: Office, batch: string): Promise<void> {
  await office.at("runner", payout)`batch run --approved ${batch} --yes`;
  await office.at("runner", payout)`journal resolve --all`;
  expect(await office.at("runner", payout)`batch run --approved ${batch} --yes`).toMatchObject({ exit: 0 });
}

/** The contents of all the journal's tables, with batch files as text. */
export async function everything(office: Office): Promise<string> {
  const tables = await office.root(
    "SELECT relname FROM pg_class WHERE relnamespace = 'partner'::regnamespace AND relkind = 'r' AND relname <> 'lock_slots'",
  );
  const rows = [await office.root("SELECT encode(content, 'escape') AS content FROM partner.batches")];
  for (const table of tables)
    rows.push(await office.root(`SELECT to_jsonb(t) AS row FROM partner.${Object.values(table)[0]} t`));
  return JSON.stringify(rows);
}
