import { dirname, join } from "node:path";
import type { Host } from "../../host/host.ts";
import { makeFolder, stateFolder } from "../../profiles/folders.ts";
import { chooseFields, fieldsByName } from "../../report/columns.ts";
import { csvRenderer } from "../../report/csv.ts";
import { ndjsonRenderer } from "../../report/json.ts";
import type { Renderer } from "../../report/renderer.ts";
import { explainState } from "../../report/write-failures.ts";
import { continueExport } from "../../statements/exports/continued-export.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { Day } from "../../values/time/day.ts";
import { parseDay } from "../../values/time/day.ts";
import { shortWaysGiven } from "../../values/time/period.ts";
import { Failure } from "../../values/failure.ts";
import { checkColumns } from "../../cli/result-options.ts";
import type { Session } from "../session.ts";
import type { AccountStatements } from "./account-statements.ts";
import type { ExportFlags } from "./export-flags.ts";
import { exportMemory } from "./export-memory.ts";
import { fillFileName } from "./file-name.ts";
import { saidBalances } from "./said-balances.ts";
import type { StatementSource } from "./statement-source.ts";

const defaultOverlapDays = 3;
const lockWaitMs = 1000;
const lockStaleMs = 30_000;

/**
 * Appends to the file of `--save` what has moved since the last run.
 * @throws {Failure} usage | setup | unavailable | mismatch
 */
export async function exportSinceLast(account: AccountStatements, session: Session, flags: ExportFlags): Promise<void> {
  const { host, result } = session;
  const { accountNo } = account;
  checkSinceLast(account, session, flags);
  const endDate = flags.endDate === undefined ? session.today() : parseDay(flags.endDate, "--end-date");
  const fileOf = (day: Day) => fillFileName(result.save ?? "", accountNo, day);
  // A row of another month may need another folder, which can only be checked once there is such a row.
  session.saveAs(/[{]/.test(dirname(result.save ?? "")) ? undefined : fileOf(endDate));
  const folder = join(stateFolder(host), "exports");
  await makeFolder(host, folder, "state");
  const memoryPath = await exportMemory(account, session);
  const release = await lockMemory(memoryPath, accountNo, host);
  try {
    await continueExport(
      {
        accountNo,
        shape: account.shape,
        strict: flags.strict,
        fileOf,
        memoryPath,
        startDate: flags.startDate === undefined ? undefined : parseDay(flags.startDate, "--start-date"),
        endDate,
        today: session.today(),
        overlapDays: flags.overlap ?? defaultOverlapDays,
        restart: flags.restart,
        format: session.format === "csv" ? "csv" : "ndjson",
        renderer: () => rendererOf(account, session),
        read: (period) => account.read(period, flags.by),
        balancesNow: () => balancesNow(account),
        note: (line) => session.note(line),
      },
      host.files,
    );
  } finally {
    await release();
  }
}

/** The balances that the service gives; none where it gives none. */
async function balancesNow(account: AccountStatements): Promise<readonly Decimal[]> {
  const balance = await account.balance();
  return balance === undefined ? [] : saidBalances(balance);
}

/** Two runs at once would both append the same new rows. */
async function lockMemory(memoryPath: string, accountNo: string, { files }: Host): Promise<() => Promise<void>> {
  try {
    return await files.lock(`${memoryPath}.lock`, { waitMs: lockWaitMs, staleMs: lockStaleMs });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause) throw explainState(memoryPath)(cause);
    throw new Failure("unavailable", `Another run is exporting ${accountNo} right now.`, {
      hint: "Wait until it has ended.",
      cause,
    });
  }
}

/**
 * Refuses what a command line with `--since-last` must not have, whichever account it is for.
 * @throws {Failure} usage
 */
export function checkSinceLast(
  { columns }: Pick<StatementSource, "columns">,
  session: Session,
  flags: ExportFlags,
): void {
  const [violation] = [...checkRepeated(flags), ...checkFormat(session)];
  if (violation !== undefined) throw violation;
  checkColumns(session.result, columns);
}

function checkRepeated(flags: ExportFlags): Failure[] {
  const ways = shortWaysGiven(flags);
  if (ways.length === 0) return [];
  return [
    new Failure("usage", "--since-last works out its period by itself.", {
      hint: `Leave ${ways.join(" and ")} out; the first run takes --start-date.`,
    }),
  ];
}

/** A file can only grow where each row is a line of its own. */
function checkFormat({ result, format }: Session): Failure[] {
  if (result.save === undefined)
    return [
      new Failure("usage", "--since-last continues a file, and none is named.", {
        hint: "Add --save, for example --save 'wallet-{account}.csv'.",
      }),
    ];
  const shown = result.file ?? format;
  if (shown !== "csv" && shown !== "ndjson")
    return [
      new Failure("usage", `--since-last appends rows, which a file of ${shown} does not take.`, {
        hint: "Use --output csv or --output ndjson.",
      }),
    ];
  if (result.sort === undefined) return [];
  return [
    new Failure("usage", "--since-last appends rows in the order of the statement, so --sort cannot be used.", {
      hint: "Leave --sort out, and sort a copy.",
    }),
  ];
}

function rendererOf({ columns }: AccountStatements, { result, format }: Session): Renderer {
  const documented = fieldsByName(columns);
  const wanted = result.columns && chooseFields(documented, result.columns);
  return format === "csv"
    ? csvRenderer(wanted ?? columns, { ...result, terminal: false })
    : ndjsonRenderer({ documented, wanted });
}
