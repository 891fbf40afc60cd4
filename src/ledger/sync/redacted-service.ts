import type { Rows } from "../../contract/endpoint.ts";
import type { AccountKind } from "../ledger.ts";
import { asRedacted } from "../redacted-row.ts";
import type { AccountService } from "./service.ts";

/**
 * The service as if it had forgotten what the ledger has: rows of days that were redacted come without personal data, so
 * that they are those which are held, and no text comes back.
 * @param before the first day of which rows are as they came; null where none was redacted
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
