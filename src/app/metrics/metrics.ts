import type { Journal } from "../../journal/journal.ts";
import type { ListenAddress } from "../../values/addresses/listen-address.ts";
import type { MetricFamily } from "../../values/text/open-metrics.ts";
import { openMetricsText, openMetricsType } from "../../values/text/open-metrics.ts";
import { openChosenJournal } from "../journal/choice.ts";
import type { Session } from "../session.ts";
import type { RunCounts } from "./run-counts.ts";
import type { WithJournal } from "./journal-metrics.ts";
import { JournalMetrics } from "./journal-metrics.ts";
import type { Host } from "../../host/host.ts";
import type { Listening } from "../../host/server/listener.ts";
import { jsonAnswer, notFound, receive } from "../../host/server/server.ts";

const healthy = jsonAnswer(200, '{"status":"ok"}');

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

/** Which program this is, and since when it has been running. */
function programMetrics(version: string, startedAt: number): readonly MetricFamily[] {
  return [
    {
      name: "partner_build",
      type: "info",
      help: "The version of partner.",
      samples: [{ labels: { version }, value: 1 }],
    },
    {
      name: "process_start_time_seconds",
      type: "gauge",
      unit: "seconds",
      help: "When this process began, in seconds since 1970.",
      samples: [{ value: startedAt / 1000 }],
    },
  ];
}

/**
 * Serves `/metrics` and `/health` of a long run.
 * @throws {Failure} unavailable (the port is in use) | usage (an address that is not this machine's)
 */
async function serveMetrics(
  host: Pick<Host, "listen">,
  address: ListenAddress,
  families: () => Promise<readonly MetricFamily[]>,
): Promise<Listening> {
  const hint = "Take a free port: --metrics 127.0.0.1:0";
  return receive(host, { address, hint, money: "not moved" }, async ({ method, target }) => {
    const [path] = target.split(/[?#]/);
    if (method !== "GET" && method !== "HEAD") return notFound;
    if (path === "/health") return healthy;
    if (path !== "/metrics") return notFound;
    return { status: 200, headers: { "content-type": openMetricsType }, body: openMetricsText(await families()) };
  });
}
