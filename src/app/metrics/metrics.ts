import type { Journal } from "../../journal/journal.ts";
import type { ListenAddress } from "../../values/addresses/listen-address.ts";
import type { MetricFamily } from "../../values/text/open-metrics.ts";
import { openChosenJournal } from "../journal/choice.ts";
import type { Session } from "../session.ts";
import type { RunCounts } from "./run-counts.ts";
import { serveMetrics } from "./serve.ts";
import type { WithJournal } from "./journal-metrics.ts";
import { JournalMetrics } from "./journal-metrics.ts";
import { programMetrics } from "./program-metrics.ts";

/** What a run counts, and the journal that its figures come from. */
interface Measured {
  readonly counts: RunCounts;
  readonly journal: Journal;
}

/** Figures of the program and of its journal, which is opened for each scrape: it may be moved meanwhile. */
export function metricsOf(session: Session): () => Promise<readonly MetricFamily[]> {
  const withJournal = async <T>(use: (journal: Journal) => Promise<T>) => {
    const journal = await openChosenJournal(session.journalChoice, { use: "read", warn: () => undefined });
    try {
      return await use(journal);
    } finally {
      await journal.close();
    }
  };
  return gathering(session, withJournal, () => []);
}

/**
 * Serves metrics at the address, if there is one, for the duration of the run.
 * @throws {Failure} unavailable (the port is in use) | usage (an address that is not this machine's)
 */
export async function measured(
  session: Session,
  address: ListenAddress | undefined,
  { counts, journal }: Measured,
  run: () => Promise<void>,
): Promise<void> {
  if (address === undefined) return run();
  const families = gathering(
    session,
    (use) => use(journal),
    () => counts.families(),
  );
  const served = await serveMetrics(session.host, address, families);
  await session.note(`Figures are at ${served.origin}/metrics.`);
  try {
    await run();
  } finally {
    await served.close();
  }
}

function gathering(
  { host, program }: Session,
  withJournal: WithJournal,
  own: () => readonly MetricFamily[],
): () => Promise<readonly MetricFamily[]> {
  const journal = new JournalMetrics(host.clock, withJournal);
  const constant = programMetrics(program.version, host.clock.now());
  return async () => [...constant, ...own(), ...(await journal.families())];
}
