import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { relative } from "node:path";
import { readSources } from "../tidy/source.ts";
import type { Reader } from "./reader.ts";

/** The functions that turn bytes into texts, and texts into values. */
const decoding =
  /new TextDecoder\(|JSON\.parse\(|(?<!function )decodeJson\(|(?<!\* )textLines\(|await openSheet\(|= elements\(/g;

/** Code that reads the program's own output or files, or input that another place has read before. */
const ownBytes: ReadonlySet<string> = new Set([
  "src/app/close/closes-file.ts",
  "src/app/ledger/sql/asking.ts",
  "src/app/ledger/sql/question.ts",
  "src/app/approvals/looked.ts",
  "src/app/approvals/refuse-unapproved.ts",
  "src/app/approvals/rules-report.ts",
  "src/app/approvals/signing/key-file.ts",
  "src/app/approvals/signing/sign.ts",
  "src/app/approvals/signing/signed-decisions.ts",
  "src/app/approvals/signing/ssh-keygen.ts",
  "src/app/money/waits/status-turns.ts",
  "src/app/journal/noted-heads.ts",
  "src/app/journal/redaction.ts",
  "src/approvals/standing.ts",
  "src/journal/postgres/chain/facts.ts",
  "src/journal/postgres/chain/redact-batch.ts",
  "src/app/statements/export-memory.ts",
  "src/commands/journal/show.ts",
  "src/contract/redaction.ts",
  "src/host/process/machine-id.ts",
  "src/host/process/process-mark.ts",
  "src/journal/archive/archive.ts",
  "src/journal/archive/check.ts",
  "src/journal/lookups/derived.ts",
  "src/journal/former-attempts.ts",
  "src/journal/history/history.ts",
  "src/journal/requests/movement-request.ts",
  "src/journal/postgres/journal-view.ts",
  "src/journal/history/proof-names.ts",
  "src/journal/redaction/redacted-order.ts",
  "src/journal/slips/folder.ts",
  "src/journal/slips/slip.ts",
  "src/ledger/stored-row.ts",
  "src/movements/batch/kept-batch.ts",
  "src/movements/approved-batch.ts",
  "src/movements/waiting/callback-decision.ts",
  "src/movements/request-diff.ts",
  "src/movements/waiting/waiting.ts",
  "src/profiles/settings/store.ts",
  "src/report/sorting/row-encoding.ts",
  "src/report/sorting/run-cursor.ts",
  "src/report/sorting/spill.ts",
  "src/report/terminal/cards.ts",
  "src/simulator/faults/callback.ts",
  "src/simulator/faults/ordered.ts",
  "src/simulator/faults/words.ts",
  "src/start.ts",
  "src/webhooks/inbox/inbox-report.ts",
]);

const root = fileURLToPath(new URL("../..", import.meta.url));
const tries = ["x", "{}", '{"a":1}'];

// A process of its own: V8 counts the code that runs from now on, and another test may have run it before.

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
for (const { read } of await allReaders()) for (const text of tries) await read(text);
const { result } = await session.post("Profiler.takePreciseCoverage");
session.disconnect();
const seen = new Map(result.map(({ url, functions }) => [pathOf(url), functions.flatMap(({ ranges }) => ranges)]));
const missed = readSources().flatMap(({ path, text }) =>
  ownBytes.has(path)
    ? []
    : Array.from(text.matchAll(decoding), ({ index }) => ({ path, index, ranges: seen.get(path) })),
);
const places = missed.filter(({ index, ranges = [] }) => !isRun(index, ranges)).map(({ path }) => path);
process.stdout.write(JSON.stringify([...new Set(places)]));
process.exit(0);

async function allReaders(): Promise<readonly Reader[]> {
  const { sheetReaders } = await import("./sheets.ts");
  const { jsonReaders } = await import("./json.ts");
  const { statementReaders } = await import("./statements.ts");
  const { webhookReaders } = await import("./webhooks.ts");
  const { settingReaders } = await import("./settings.ts");
  const { orderReaders } = await import("./orders.ts");
  return [...orderReaders, ...sheetReaders, ...jsonReaders, ...statementReaders, ...webhookReaders, ...settingReaders];
}

function pathOf(url: string): string {
  return url.startsWith("file:") ? relative(root, fileURLToPath(url)).replaceAll("\\", "/") : url;
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** The narrowest range around a place says how often it ran. */
function isRun(at: number, ranges: readonly Range[]): boolean {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= at && at < endOffset);
  const narrowest = around.toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0];
  return narrowest !== undefined && narrowest.count > 0;
}
