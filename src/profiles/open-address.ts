import { readPostgresUrl } from "../values/addresses/postgres-url.ts";
import { parsePostgresWords } from "../values/addresses/postgres-words.ts";

/** What is wrong with the address of a database in a file that others can read: it must not contain a password. */
export function checkOpenAddress(text: string): string | undefined {
  const words = parsePostgresWords(text);
  // An address without a host leaves host and database to the environment or a service file.
  const isLeftOpen = typeof words !== "string" && words.host === undefined;
  const url = readPostgresUrl(text, isLeftOpen ? { host: "localhost", dbname: "any" } : {});
  if (typeof url === "string") return url;
  return url.password === undefined
    ? undefined
    : "holds a password: leave it out, and give it by PARTNER_JOURNAL_URL_FILE, PGPASSWORD or ~/.pgpass";
}
