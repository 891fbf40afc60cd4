import { shown } from "../../statements/formats/page.ts";
import type { Bars } from "./bars.ts";

/** In the drawing's own units; a page scales it to the width available. */
const [width, rowHeight, barHeight, gap] = [960, 22, 14, 10];
const digitWidth = 7;
const labelMaxChars = 48;

export const barStyle = `
svg .bar { fill: var(--blue); stroke: none; }
svg .less { fill: #b3261e; }
`;

/**
 * A bar for each row on one axis, to the right for positive sizes and to the left for negative ones; empty where all
 * are zero.
 */
export function barChart({ title, bars }: Bars): string {
  const [low, high] = [Math.min(0, ...bars.map(({ size }) => size)), Math.max(0, ...bars.map(({ size }) => size))];
  if (low === high) return "";
  const longest = Math.max(...bars.map(({ label }) => Math.min(label.length, labelMaxChars)));
  const [left, numbers] = [
    longest * digitWidth + gap,
    Math.max(...bars.map(({ text }) => text.length)) * digitWidth + gap,
  ];
  const unit = (width - left - numbers) / (high - low);
  const zero = left - low * unit;
  const height = bars.length * rowHeight;
  const lines = bars.map(({ label, size, text }, at) => {
    const [y, x, length] = [at * rowHeight, round(Math.min(zero, zero + size * unit)), round(Math.abs(size) * unit)];
    const name = label.length > labelMaxChars ? `${label.slice(0, labelMaxChars - 1)}…` : label;
    return (
      `<text class="number" x="${left - gap}" y="${y + barHeight}">${shown(name)}</text>` +
      `<rect class="bar${size < 0 ? " less" : ""}" x="${x}" y="${y + 4}" width="${length}" height="${barHeight}"/>` +
      `<text class="number" x="${width}" y="${y + barHeight}">${shown(text)}</text>`
    );
  });
  const axis = `<path class="axis" d="M${round(zero)} 0V${height}"/>`;
  return `<figure>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${shown(title)}">
${lines.join("\n")}
${axis}
</svg>
<figcaption>${shown(title)}</figcaption>
</figure>
`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
