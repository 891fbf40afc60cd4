import type { Host, Output } from "./host.ts";

const usualColumns = 80;
const columnsForm = /^[1-9]\d{0,4}$/;

/**
 * How many columns a line of a terminal has: what the terminal says, else `COLUMNS`, else 80. Terminals of editors and
 * of build machines say 0. Undefined off a terminal.
 */
export function lineWidth(output: Output, { environment }: Pick<Host, "environment">): number | undefined {
  if (!output.isTerminal) return undefined;
  if (output.columns !== undefined && output.columns > 0) return output.columns;
  const { COLUMNS = "" } = environment;
  return columnsForm.test(COLUMNS) ? Number(COLUMNS) : usualColumns;
}
