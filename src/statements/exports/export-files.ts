import { createHash } from "node:crypto";
import { isAbsolute, relative, resolve } from "node:path";
import type { Files } from "../../host/files/files.ts";
import { unlessGone } from "../../host/files/gone.ts";
import { Failure } from "../../values/failure.ts";
import { counted } from "../../values/text/counted.ts";
import { quotePath } from "../../values/text/text.ts";
import { Day } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import type { ExportRequest } from "./export-request.ts";
import type { ExportedFile, ExportState } from "./export-state.ts";

/** SHA-256 of the file at that path; undefined where there is none. */
export async function fileHash(files: Files, path: string): Promise<string | undefined> {
  if (!(await files.isSame(path, path))) return undefined;
  return unlessGone(files, path, async () => {
    const hash = createHash("sha256");
    for await (const bytes of files.chunks(path)) hash.update(bytes);
    return hash.digest("hex");
  });
}

/** The absolute path of the file for rows of that day; rows without a day go to the file of the period's end. */
export function pathOf({ fileOf, endDate }: Pick<ExportRequest, "fileOf" | "endDate">, day: string): string {
  return resolve(fileOf(Day.parse(day) ?? endDate));
}

/** A path in the form that the command line uses: absolute, or relative to the folder of the run. */
export function shownPath({ fileOf, endDate }: Pick<ExportRequest, "fileOf" | "endDate">, path: string): string {
  return isAbsolute(fileOf(endDate)) ? path : relative(resolve("."), path);
}

/** How many days are tried for file names before anything is read; a clock may be thousands of years ahead. */
const namedDaysMaxCount = 3660;

/** All files that a period may write to. */
export function pathsOf(request: Pick<ExportRequest, "fileOf" | "endDate">, { startDate, endDate }: Period): string[] {
  const paths = new Set([resolve(request.fileOf(startDate)), resolve(request.fileOf(endDate))]);
  // Where both ends have the same name, so do the days in between.
  if (paths.size > 1)
    for (let days = 1; days < Math.min(startDate.daysUntil(endDate), namedDaysMaxCount); days++)
      paths.add(resolve(request.fileOf(startDate.addDays(days))));
  return [...paths];
}

/**
 * Checks that the file of the last rows and that of the end date are as the last run left them. Others are checked when
 * they get a row: the file of a past month may have been moved away.
 * @returns the same state, with the paths that files have now
 * @throws {Failure} mismatch | usage: something that isn't a file
 */
export async function checkFiles(request: ExportRequest, state: ExportState, files: Files): Promise<ExportState> {
  const current = pathOf(request, request.endDate.toString());
  let remembered = state.files;
  for (const path of new Set([pathOf(request, state.lastDay ?? ""), current])) {
    await refuseOther(shownPath(request, path), files);
    const file = remembered.find((one) => one.path === path);
    if (file !== undefined) await checkFile(request, file, files, path === current);
    else remembered = await movedFile(request, path, remembered, files);
  }
  return { ...state, files: remembered };
}

async function checkFile(
  request: ExportRequest,
  { path, sha256 }: ExportedFile,
  files: Files,
  mustBeThere: boolean,
): Promise<void> {
  const found = await fileHash(files, path);
  if (found === sha256 || (found === undefined && !mustBeThere)) return;
  throw notAsLeft(shownPath(request, path), found === undefined ? "it was deleted or moved" : "it was edited since");
}

/**
 * A file that is not remembered under its name may be one of ours that was moved there.
 * @throws {Failure} mismatch where it is another file
 */
export async function movedFile(
  request: ExportRequest,
  path: string,
  remembered: readonly ExportedFile[],
  files: Files,
): Promise<readonly ExportedFile[]> {
  const found = await fileHash(files, path);
  if (found === undefined) return remembered;
  const index = remembered.findIndex(({ sha256 }) => sha256 === found);
  if (index < 0) throw notAsLeft(shownPath(request, path), "it isn't a file of this export");
  return remembered.map((file, place) => (place === index ? { ...file, path } : file));
}

/**
 * Refuses files at the paths of a first run: they are not ours.
 * @throws {Failure} mismatch | usage
 */
export async function refuseForeign(request: ExportRequest, period: Period, files: Files): Promise<void> {
  for (const path of pathsOf(request, period)) {
    const name = shownPath(request, path);
    await refuseOther(name, files);
    if (request.restart || (await files.facts(path)) === undefined) continue;
    throw new Failure(
      "mismatch",
      `${quotePath(name)} is there already, and no earlier run of this export is remembered.`,
      {
        hint: "Nothing was written. Name another file, or replace it: add --restart and --start-date.",
      },
    );
  }
}

async function refuseOther(path: string, files: Files): Promise<void> {
  const facts = await files.facts(path);
  if (facts?.kind !== "other" && facts?.kind !== "folder") return;
  throw new Failure("usage", `${quotePath(path)} isn't a file, and --since-last continues one.`, {
    hint: "Name a file with --save, for example --save 'wallet-{account}.csv'.",
  });
}

/** @param rows how many rows of this run belong in it, for the message */
export function notAsLeft(path: string, fate: string, rows = 0): Failure {
  const late = rows === 0 ? "" : ` ${counted(rows, "row")} of this run ${rows === 1 ? "belongs" : "belong"} there.`;
  return new Failure("mismatch", `${quotePath(path)} is not as the last run left it: ${fate}.${late}`, {
    hint: "Nothing was written. Put it back, or start over: add --restart.",
  });
}
