/** The texts of a row. */
export interface RowTexts {
  readonly narration: string;
  readonly counterparty: string;
}

export const noTexts: RowTexts = { narration: "", counterparty: "" };
