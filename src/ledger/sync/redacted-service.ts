import type { Rows } from "../../contract/endpoint.ts";
import type { AccountKind } from "../ledger.ts";
import { asRedacted } from "../redacted-row.ts";
import type { AccountService } from "./service.ts";

/**
 * A service that redacts rows as the ledger did: rows of redacted days equal the stored ones, and personal data does
 * not come back.
 * @param before the first day that is not redacted; null where none is
 */
export function redactedService(service: AccountService, kind: AccountKind, before: string | null): AccountService {
  if (before === null) return service;
  return {
    read: async (period) => {
      const rows = await service.read(period);
      return { [Symbol.asyncIterator]: () => redacted(rows, kind, before) };
    },
    stream: (period, use) => service.stream(period, (rows) => use(redacted(rows, kind, before))),
    balances: () => service.balances(),
  };
}

async function* redacted(rows: Rows, kind: AccountKind, before: string) {
  for await (const batch of rows) yield batch.map((row) => asRedacted(row, kind, before));
}
