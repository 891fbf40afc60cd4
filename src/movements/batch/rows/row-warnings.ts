import { counted } from "../../../values/text/counted.ts";
import { visible } from "../../../values/text/text.ts";
import type { MoneyOrder } from "../../order.ts";

/** Warnings about rows of a batch, each once: with the first row that it is about, and how many more there are. */
export class RowWarnings {
  readonly #rows = new Map<string, { readonly first: string; count: number }>();

  add({ reference }: Pick<MoneyOrder, "reference">, line: number, warnings: readonly string[]): void {
    for (const warning of warnings) {
      const known = this.#rows.get(warning);
      if (known === undefined) this.#rows.set(warning, { first: `line ${line} (${visible(reference)})`, count: 1 });
      else known.count += 1;
    }
  }

  /** `line 4 (R-4) and 2 more rows: …`. */
  lines(): readonly string[] {
    return [...this.#rows].map(([warning, { first, count }]) => {
      const more = count === 1 ? "" : ` and ${counted(count - 1, "more row")}`;
      return `${first}${more}: ${warning}`;
    });
  }
}
