/**
 * A session at the shell, written down: what was typed and what came back, byte for byte.
 *
 *     % simulator run --clock 2026-10-31T12:00:00+03:00     (optional, first line: what the session runs inside of)
 *     # A remark.
 *     $ partner wallets list --output csv
 *     accountNo,…                                           (stdout)
 *     ! A sentence on stderr.
 *     ? 4                                                   (the exit code, where it is not 0)
 *
 * A line of output that begins like one of these marks, or with a backslash, is written with a backslash before it.
 * `<home>` stands for the folder that it was played in; `<uuid>`, `<moment>`, `<batch>` and `<port>` for what chance
 * and the clock made. One empty line before the next remark or command is no output.
 */
export interface Transcript {
  /** Words after `partner` that start what the session runs inside of. */
  readonly inside: readonly string[] | undefined;
  readonly steps: readonly Step[];
}

export interface Step {
  /** Lines of remarks, as they stand. */
  readonly remarks: readonly string[];
  readonly command: string;
  readonly outcome: Outcome;
}

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

const noNewline = "\\ no newline at the end";

/** @throws {Error} for output that belongs to no command */
export function parseTranscript(text: string): Transcript {
  let inside: readonly string[] | undefined;
  const steps: { remarks: string[]; command: string; stdout: string[]; stderr: string[]; exit: number }[] = [];
  let remarks: string[] = [];
  for (const line of text.split("\n")) {
    const rest = line.slice(2);
    const step = steps.at(-1);
    if (line.startsWith("% ")) inside = rest.split(/\s+/);
    else if (line.startsWith("# ")) remarks.push(line);
    else if (line.startsWith("$ ")) {
      steps.push({ remarks, command: rest, stdout: [], stderr: [], exit: 0 });
      remarks = [];
    } else if (step === undefined || remarks.length > 0) {
      if (line !== "") throw new Error(`Output without a command: ${line}`);
    } else if (line.startsWith("! ") || line === "!") step.stderr.push(rest);
    else if (line.startsWith("? ")) step.exit = Number(rest);
    else step.stdout.push(line);
  }
  return {
    inside,
    steps: steps.map(({ remarks: above, command, stdout, stderr, exit }) => {
      if (stdout.at(-1) === "") stdout.pop();
      return { remarks: above, command, outcome: { stdout: joinLines(stdout), stderr: joinLines(stderr), exit } };
    }),
  };
}

/** The text of a transcript, so that `formatTranscript(parseTranscript(text))` is the text again. */
export function formatTranscript({ inside, steps }: Transcript): string {
  const head = inside === undefined ? [] : [`% ${inside.join(" ")}`, ""];
  const blocks = steps.map(({ remarks, command, outcome }) =>
    [...remarks, `$ ${command}`, ...formatOutcome(outcome)].join("\n"),
  );
  return `${[...head, blocks.join("\n\n")].join("\n")}\n`;
}

export function formatOutcome({ stdout, stderr, exit }: Outcome): string[] {
  return [
    ...splitLines(stdout, (line) => (/^([$!?#%] |!$|\\)/.test(line) ? `\\${line}` : line)),
    ...splitLines(stderr, (line) => (line.startsWith("\\") ? `\\${line}` : line)).map((line) =>
      line === "" ? "!" : `! ${line}`,
    ),
    ...(exit === 0 ? [] : [`? ${exit}`]),
  ];
}

function splitLines(text: string, escape: (line: string) => string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop();
  return last === "" ? lines.map(escape) : [...lines, last ?? ""].map(escape).concat(noNewline);
}

function joinLines(lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const isOpen = lines.at(-1) === noNewline;
  const text = (isOpen ? lines.slice(0, -1) : lines)
    .map((line) => (line.startsWith("\\") ? line.slice(1) : line))
    .join("\n");
  return isOpen ? text : `${text}\n`;
}
