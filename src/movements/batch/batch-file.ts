import type { Files } from "../../host/files/files.ts";
import type { Host } from "../../host/host.ts";
import type { SheetHost } from "../../sheets/blocks.ts";
import type { Sheet } from "../../sheets/sheet.ts";
import { openSheet } from "../../sheets/sheet.ts";
import type { BatchForm } from "./batch-form.ts";
import { columnsFor } from "./batch-form.ts";
import { Failure } from "../../values/failure.ts";
import { isOpenedAlready } from "../../values/text/path-name.ts";

/** The references of so many rows fit into memory many times over. */
export const batchMaxRows = 100_000;
/** A character and a line end: a smaller file needs no counting. */
const rowMinBytes = 2;

/**
 * Opens a file as a batch of this form: it checks the header, not the rows.
 * @throws {Failure} usage | interrupted
 */
export function openBatchFile(host: SheetHost, path: string, form: BatchForm): Promise<Sheet> {
  const { delimiter, sheet } = form;
  return openSheet(host, path, { delimiter, sheet, ragged: "keep", columnsFor: (header) => columnsFor(form, header) });
}

/**
 * Counts the rows of a file before a person is asked about them. A pipe can be read only once, so its rows are counted
 * while they are checked.
 * @throws {Failure} usage where there are too many
 */
export async function refuseTooMany(
  host: Pick<Host, "files" | "signal">,
  path: string,
  form: BatchForm,
): Promise<void> {
  if (!(await isToBeCounted(host.files, path))) return;
  let count = 0;
  for await (const rows of (await openBatchFile(host, path, form)).rows) {
    count += rows.length;
    if (count > batchMaxRows) throw tooMany();
  }
}

/** Bytes read from an open pipe are lost for the next reader. */
async function isToBeCounted(files: Files, path: string): Promise<boolean> {
  const facts = await files.facts(path);
  if (facts?.kind === "file") return facts.sizeBytes > batchMaxRows * rowMinBytes;
  return facts?.kind === "link" && !isOpenedAlready(path) && (await files.isSame(path, path));
}

/** @returns what a batch of more than `batchMaxRows` ends with */
export function tooMany(): Failure {
  return new Failure("usage", `The file has more than ${batchMaxRows.toLocaleString("en")} rows; nothing was sent.`, {
    hint: "Split it.",
    money: "not moved",
  });
}
