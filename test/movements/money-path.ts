import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Connection } from "../../src/client/connection.ts";
import type { Movement } from "../../src/journal/movement.ts";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import type { MoneyGuards } from "../../src/movements/guards/guards.ts";
import type { Performed } from "../../src/movements/performed.ts";
import { perform } from "../../src/movements/perform.ts";
import { anyRepeat } from "../../src/movements/guards/repeats.ts";
import { daysAt, noSpread, ServiceClock } from "../../src/values/time/service-clock.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { Kind } from "./kinds.ts";
import { accountId, secretKey } from "./service.ts";
import { listOf } from "./till.ts";

/** The money path without a command line around it, for tables with very many rows. */
export interface MoneyPath {
  perform(kind: Kind, reference: string): Promise<Performed>;
  movements(): Promise<Movement[]>;
}

/** The longest that an exchange takes. */
export const patientMs = 60_000;
const unknownCurrencies = () => Promise.resolve(undefined);

/** A journal that stays open for the whole test, a transport over real sockets, and the one door between them. */
export async function openMoneyPath(
  origin: string,
  limits: Partial<MoneyGuards> = {},
  extraCertificates?: string,
): Promise<MoneyPath> {
  const host = memoryHost({ environment: {} });
  const folder = temporaryFolder();
  const journal = await openJournal(host, {
    stateFolder: join(folder, "state"),
    configFolder: folder,
    version: "test",
    use: "write",
    warn: () => undefined,
  });
  onTestFinished(() => journal.close());
  const credentials = { group: "A", accountId, secretKey } as const;
  const service = {
    live: true,
    extensions: new Set(["payout"] as const),
    profile: undefined,
    address: (_group: "A" | "B", target: string) => origin + target,
    credentials: () => Promise.resolve(credentials),
  };
  const connection = new Connection(service, await host.transport({ extraCertificates }));
  const guards = { profile: undefined, transferMax: undefined, dayMax: undefined, allowTo: undefined, ...limits };
  const tools = {
    host,
    journal,
    connection,
    scope: origin,
    profile: undefined,
    credentials,
    deadlineMs: patientMs,
    guards,
    limitDays: () => daysAt(host.clock.now(), noSpread),
    currencies: unknownCurrencies,
    serviceClock: new ServiceClock(),
    // These tables repeat the same payment under other references on purpose.
    repeatCheck: anyRepeat,
  };
  return {
    perform: (kind, reference) => perform(kind.order(reference), tools),
    async movements() {
      await journal.verify();
      return listOf(journal.list());
    },
  };
}

/** Does them all, so many at a time, and returns the results in order. */
export async function performAll<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += atOnce)
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map(act))));
  return results;
}
