import { withPostgres } from "../with-postgres.ts";
import { journalContract } from "./journal-contract.ts";
import { newShared, openShared } from "./shared-places.ts";

withPostgres("a shared journal", (server) => {
  journalContract("postgres", () => {
    let address: Promise<string> | undefined;
    return async (host) => openShared(await (address ??= newShared(server)), { host });
  });
});
