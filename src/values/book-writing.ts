/** The ways in which a person's own books write days; ours is the first. */
export const dateFormats = ["YYYY-MM-DD", "DD/MM/YYYY", "MM/DD/YYYY", "DD.MM.YYYY", "DD-MM-YYYY"] as const;
export type DateFormat = (typeof dateFormats)[number];

/** What they put before decimals. */
export const decimalMarks = ["point", "comma"] as const;
export type DecimalMark = (typeof decimalMarks)[number];
