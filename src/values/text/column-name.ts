const lettersCount = 26;
const codeBeforeA = 64;

/** The letters of a spreadsheet's column: 0 is A, 25 is Z, 26 is AA. */
export function columnName(column: number): string {
  const before = column < lettersCount ? "" : columnName(Math.floor(column / lettersCount) - 1);
  return before + String.fromCharCode(codeBeforeA + 1 + (column % lettersCount));
}

/** The column that has these letters. */
export function columnNumber(letters: string): number {
  return Array.from(letters).reduce((sum, letter) => sum * lettersCount + letter.charCodeAt(0) - codeBeforeA, 0) - 1;
}
