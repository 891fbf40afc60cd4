/** What a row says besides its numbers. */
export interface RowTexts {
  readonly narration: string;
  readonly counterparty: string;
}

export const noTexts: RowTexts = { narration: "", counterparty: "" };
