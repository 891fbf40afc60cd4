/** Cell styles, by their index in `cellXfs` below. */
export const cellStyles = {
  plain: 0,
  title: 1,
  heading: 2,
  headingRight: 3,
  text: 4,
  /** An amount with more digits than a spreadsheet's numbers have: text, but aligned like amounts. */
  exact: 5,
  amount: 6,
  fineAmount: 7,
  count: 8,
  day: 9,
  moment: 10,
  /** Text that is wrapped. */
  wrapped: 11,
  /** For lines that need attention. */
  alarm: 12,
  total: 13,
  totalAmount: 14,
} as const;

/** Number formats: 3 `#,##0` and 49 (text) are built in. Negative amounts are red. */
const forms = [
  '<numFmt numFmtId="164" formatCode="#,##0.00########;[Red]\\-#,##0.00########"/>',
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/>',
  '<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>',
  '<numFmt numFmtId="167" formatCode="#,##0.00;[Red]\\-#,##0.00"/>',
];

const fonts = [
  '<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>',
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font>',
  '<font><b/><sz val="14"/><name val="Calibri"/><family val="2"/></font>',
  '<font><b/><sz val="11"/><color rgb="FFB3261E"/><name val="Calibri"/><family val="2"/></font>',
];

const fills = [
  '<fill><patternFill patternType="none"/></fill>',
  '<fill><patternFill patternType="gray125"/></fill>',
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE8EDF3"/><bgColor indexed="64"/></patternFill></fill>',
];

const borders = [
  "<border><left/><right/><top/><bottom/><diagonal/></border>",
  '<border><left/><right/><top/><bottom style="thin"><color rgb="FF6B7A8C"/></bottom><diagonal/></border>',
  '<border><left/><right/><top style="thin"><color rgb="FF6B7A8C"/></top><bottom/><diagonal/></border>',
];

/** In the order of `cellStyles`. */
const cellForms = [
  form(0),
  form(0, { font: 2 }),
  form(49, { font: 1, fill: 2, border: 1 }),
  form(49, { font: 1, fill: 2, border: 1, align: "right" }),
  form(49),
  form(49, { align: "right" }),
  form(167),
  form(164),
  form(3),
  form(165, { align: "left" }),
  form(166, { align: "left" }),
  form(49, { wrap: true }),
  form(0, { font: 3 }),
  form(49, { font: 1, border: 2 }),
  form(167, { font: 1, border: 2 }),
];

/** The workbook's `styles.xml`. */
export const stylesXml =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  list("numFmts", forms) +
  list("fonts", fonts) +
  list("fills", fills) +
  list("borders", borders) +
  list("cellStyleXfs", ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']) +
  list("cellXfs", cellForms) +
  list("cellStyles", ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']) +
  "</styleSheet>";

function list(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join("")}</${name}>`;
}

interface Look {
  readonly font?: number;
  readonly fill?: number;
  readonly border?: number;
  readonly align?: "left" | "right";
  readonly wrap?: boolean;
}

function form(number: number, { font = 0, fill = 0, border = 0, align, wrap }: Look = {}): string {
  const ids = `numFmtId="${number}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0"`;
  const applied = 'applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"';
  // Wrapped text makes rows high: the cells beside it are aligned at the top.
  const placed = align === undefined ? "" : ` horizontal="${align}"`;
  const wrapped = wrap === true ? ' wrapText="1"' : "";
  return `<xf ${ids} ${applied} applyAlignment="1"><alignment${placed} vertical="top"${wrapped}/></xf>`;
}
