import { createHash } from "node:crypto";
import { visible } from "../../values/text/text.ts";
import { pageStyle } from "./html-style.ts";
import { markupText } from "./text/markup.ts";

/** The head of a page. */
export interface PageTitle {
  readonly title: string;
  /** The kind of page, above the heading. */
  readonly kind: string;
  readonly heading: string;
  /** Additional style, after the common one. */
  readonly style?: string | undefined;
}

/**
 * The beginning of a self-contained page: its policy forbids all scripts, images, fonts and connections, and allows
 * only the embedded style. The header is left open.
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

/** A list of names with their values. */
export function termList(name: "facts" | "totals", pairs: readonly (readonly string[])[]): string {
  const entries = pairs.map(([term = "", text = ""]) => `<div><dt>${shown(term)}</dt><dd>${shown(text)}</dd></div>`);
  return `<dl class="${name}">\n${entries.join("\n")}\n</dl>`;
}

/** Escaped text: no markup, and invisible characters are made visible. */
export function shown(text: string): string {
  return markupText(visible(text));
}
