import { readPostgresUrl } from "../values/addresses/postgres-url.ts";
import { wordsOf } from "../values/addresses/postgres-words.ts";

/** What is wrong with an address in a file that others can read: it must not contain a password. */
export function checkOpenAddress(text: string): string | undefined {
  const words = wordsOf(text);
  // Who names no host leaves it, and the database, to the environment or to a file of services.
  const isLeftOpen = typeof words !== "string" && words.host === undefined;
  const url = readPostgresUrl(text, isLeftOpen ? { host: "localhost", dbname: "any" } : {});
  if (typeof url === "string") return url;
  return url.password === undefined
    ? undefined
    : "holds a password: leave it out, and give it by PARTNER_JOURNAL_URL_FILE, PGPASSWORD or ~/.pgpass";
}
