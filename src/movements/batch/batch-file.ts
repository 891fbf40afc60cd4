import type { SheetHost } from "../../sheets/blocks.ts";
import type { Sheet } from "../../sheets/sheet.ts";
import { openSheet } from "../../sheets/sheet.ts";
import type { BatchForm } from "./batch-form.ts";
import { columnsFor } from "./batch-form.ts";

/**
 * Opens a file as a batch of this form: its header is right, its rows are still to be looked at.
 * @throws {Failure} usage | interrupted
 */
export function openBatchFile(host: SheetHost, path: string, form: BatchForm): Promise<Sheet> {
  const { delimiter, sheet } = form;
  return openSheet(host, path, { delimiter, sheet, ragged: "keep", columnsFor: (header) => columnsFor(form, header) });
}
