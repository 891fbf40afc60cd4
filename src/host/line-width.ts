import type { Host, Output } from "./host.ts";

const usualColumns = 80;
const columnsForm = /^[1-9]\d{0,4}$/;

/**
 * How many columns a line of a terminal has: what the terminal reports, else `COLUMNS`, else 80. Terminals of editors
 * and build machines report 0. Undefined if the output isn't a terminal.
 */
export function lineWidth(output: Output, { environment }: Pick<Host, "environment">): number | undefined {
  if (!output.isTerminal) return undefined;
  if (output.columns !== undefined && output.columns > 0) return output.columns;
  const { COLUMNS = "" } = environment;
  return columnsForm.test(COLUMNS) ? Number(COLUMNS) : usualColumns;
}
