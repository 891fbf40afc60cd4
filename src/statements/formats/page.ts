import { createHash } from "node:crypto";
import { visible } from "../../values/text/text.ts";
import { pageStyle } from "./html-style.ts";
import { markupText } from "./markup.ts";

/** What a page says first of itself. */
export interface PageTitle {
  readonly title: string;
  /** What kind of page it is, above the heading. */
  readonly kind: string;
  readonly heading: string;
  /** Style of its own, behind what all pages have. */
  readonly style?: string | undefined;
}

/**
 * The beginning of a page that needs nothing from anywhere: its policy forbids every script, picture, font and
 * connection, and allows just the style that stands in it. The header is left open.
 */
export function pageOpening({ title, kind, heading, style: own = "" }: PageTitle): string {
  const css = pageStyle + own;
  const style = createHash("sha256").update(css).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${shown(title)}</title>
<style>${css}</style>
</head>
<body>
<header>
<p>${shown(kind)}</p>
<h1>${shown(heading)}</h1>`;
}

/** Names and what is behind them. */
export function termList(name: "facts" | "totals", pairs: readonly (readonly string[])[]): string {
  const entries = pairs.map(([term = "", text = ""]) => `<div><dt>${shown(term)}</dt><dd>${shown(text)}</dd></div>`);
  return `<dl class="${name}">\n${entries.join("\n")}\n</dl>`;
}

/** Text as text: nothing in it is markup, and what cannot be seen is made visible. */
export function shown(text: string): string {
  return markupText(visible(text));
}
