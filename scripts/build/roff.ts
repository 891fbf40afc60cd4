/**
 * Text for a manual page: nothing in it is taken for an order of roff's, a minus stays one that can be copied, and a
 * long row of choices may be broken.
 */
export function roff(text: string): string {
  const escaped = text.replaceAll("\\", String.raw`\e`).replaceAll("-", String.raw`\-`);
  return escaped
    .replaceAll("|", String.raw`|\:`)
    .replaceAll("~", String.raw`\(ti`)
    .replaceAll("^", String.raw`\(ha`)
    .replaceAll("`", String.raw`\(ga`)
    .replaceAll(/^[.']/gm, String.raw`\&$&`);
}

export function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

export function section(heading: string, ...content: readonly string[]): string {
  return [`.SH "${heading.toUpperCase()}"`, ...content].join("\n");
}

/** A name, and what is said of it beside or below. `name` is roff already. */
export function entry(name: string, text: string): string {
  return `.TP\n${name}\n${roff(text)}`;
}

/**
 * Paragraphs of a text for the terminal. What is indented or in columns, and remarks of a script, keep their lines;
 * of the rest `lines` says whether its lines are a paragraph or stand each for itself.
 */
export function prose(text: string, lines: "joined" | "kept"): string {
  const paragraphs = text.trimEnd().split(/\n(?:[^\S\n]*\n)+/);
  return paragraphs
    .map((paragraph) =>
      runs(paragraph.split("\n"))
        .map((run) => runText(run, lines))
        .join("\n"),
    )
    .join("\n.PP\n");
}

/** Lines as they stand, typed or shown by a program. */
export function literal(lines: readonly string[]): string {
  return [".RS 4", ".nf", ...lines.map(roff), ".fi", ".RE"].join("\n");
}

/** Lines that follow each other and are of the same kind. */
function runs(lines: readonly string[]): string[][] {
  const found: string[][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last !== undefined && isLiteral(last[0] ?? "") === isLiteral(line)) last.push(line);
    else found.push([line]);
  }
  return found;
}

function runText(run: readonly string[], lines: "joined" | "kept"): string {
  if (isLiteral(run[0] ?? "")) return literal(run.map((line) => line.replace(/^ {2}/, "")));
  return run.map(roff).join(lines === "joined" ? "\n" : "\n.br\n");
}

function isLiteral(line: string): boolean {
  return /^(?: {2}|# )|\S {2,}\S/.test(line);
}
