import { widthOf } from "../../src/report/terminal/text-width.ts";

/** The colours of a picture: of the paper, of plain text, and of what a terminal calls 1 to 6 (red to cyan). */
export interface Palette {
  readonly paper: string;
  readonly text: string;
  readonly dim: string;
  readonly colours: readonly string[];
}

export const light: Palette = {
  paper: "#ffffff",
  text: "#1f2328",
  dim: "#656d76",
  colours: ["#cf222e", "#116329", "#7d4e00", "#0550ae", "#8250df", "#1b7c83"],
};

export const dark: Palette = {
  paper: "#0d1117",
  text: "#e6edf3",
  dim: "#8b949e",
  colours: ["#ff7b72", "#7ee787", "#d29922", "#79c0ff", "#d2a8ff", "#76e3ea"],
};

/** Of a letter, in pixels. */
const letterWidth = 8.4;
const lineHeight = 20;
const margin = 16;
const fontSize = 14;

interface Style {
  readonly bold: boolean;
  readonly dim: boolean;
  /** 0 to 5 for red to cyan. */
  readonly colour: number | undefined;
}

const plain: Style = { bold: false, dim: false, colour: undefined };

/**
 * A screen with its escape sequences, as an SVG that loads nothing. Each piece of text has its width written down, so
 * columns stay in line with every font.
 */
export function terminalPicture(screen: string, columns: number, palette: Palette): string {
  const lines = screen.trimEnd().split("\n");
  const width = Math.ceil(columns * letterWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  let style = plain;
  const texts = lines.flatMap((line, index) => {
    let column = 0;
    return line.split(/(\u001b\[[\d;]*m)/).flatMap((piece) => {
      const [, codes] = /^\u001b\[([\d;]*)m$/.exec(piece) ?? [];
      if (codes !== undefined) {
        style = styled(style, codes);
        return [];
      }
      return piece.split(/( {2,})/).flatMap((words) => {
        const at = column;
        column += widthOf(words);
        return words.trim() === "" ? [] : [textAt(words, at, index, style, palette)];
      });
    });
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="A session of partner in a terminal">
<rect width="100%" height="100%" rx="8" fill="${palette.paper}" stroke="${palette.dim}" stroke-opacity="0.4"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${fontSize}">
${texts.join("\n")}
</g>
</svg>
`;
}

function styled(style: Style, codes: string): Style {
  let next = style;
  for (const code of codes.split(";").map(Number)) {
    if (code === 0) next = plain;
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 2) next = { ...next, dim: true };
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 39) next = { ...next, colour: undefined };
    else if (code >= 31 && code <= 36) next = { ...next, colour: code - 31 };
    else if (code >= 91 && code <= 96) next = { ...next, colour: code - 91 };
  }
  return next;
}

function textAt(piece: string, column: number, line: number, { bold, dim, colour }: Style, palette: Palette): string {
  const lead = piece.length - piece.trimStart().length;
  const text = piece.trim();
  const x = (margin + (column + lead) * letterWidth).toFixed(1);
  const y = margin + line * lineHeight + fontSize;
  const fill = colour === undefined ? (dim ? palette.dim : palette.text) : (palette.colours[colour] ?? palette.text);
  const weight = bold ? ' font-weight="bold"' : "";
  const length = (widthOf(text) * letterWidth).toFixed(1);
  return `<text x="${x}" y="${y}" fill="${fill}"${weight} textLength="${length}">${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
