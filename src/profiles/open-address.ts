import { readPostgresUrl } from "../values/addresses/postgres-url.ts";

/** What is wrong with an address that stands where others can read it: it must not hold a password. */
export function checkOpenAddress(text: string): string | undefined {
  const url = readPostgresUrl(text);
  if (typeof url === "string") return url;
  return url.password === undefined
    ? undefined
    : "holds a password: leave it out, and give it by PARTNER_JOURNAL_URL_FILE, PGPASSWORD or ~/.pgpass";
}
