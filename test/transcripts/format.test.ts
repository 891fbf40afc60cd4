import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkTranscript } from "../../scripts/transcript/play.ts";
import { formatTranscript, parseTranscript } from "../../scripts/transcript/transcript.ts";

const session = `% simulator run --clock 2026-10-31T12:00:00+03:00

# What is there?
$ partner wallets list | head -n 1
accountNo

$ partner wallet balance 1 --output json
! There is no wallet 1.
!
! See: partner wallets list
? 4

# Output that looks like a mark, an empty line, and no newline at the end.
$ printf '$ a\\n\\n? b'
\\$ a

\\? b
\\ no newline at the end
`;

test("a transcript that is read and written again is the same", () => {
  expect(formatTranscript(parseTranscript(session))).toBe(session);
});

test("a transcript has the expected result of each command, byte for byte", () => {
  expect(parseTranscript(session)).toMatchObject({
    inside: ["simulator", "run", "--clock", "2026-10-31T12:00:00+03:00"],
    steps: [
      { outcome: { stdout: "accountNo\n", stderr: "", exit: 0 } },
      { outcome: { stdout: "", stderr: "There is no wallet 1.\n\nSee: partner wallets list\n", exit: 4 } },
      { outcome: { stdout: "$ a\n\n? b", stderr: "", exit: 0 } },
    ],
  });
});

test.skipIf(process.platform === "win32")("a program with the expected output passes", async () => {
  expect(await check("$ partner hello\nhello from America/Los_Angeles\n! a note\n? 7\n")).toEqual([]);
});

test.skipIf(process.platform === "win32").each([
  ["another word on stdout", "$ partner hello\nhallo from America/Los_Angeles\n! a note\n? 7\n"],
  ["a line too few on stdout", "$ partner hello\n! a note\n? 7\n"],
  ["a line too many on stdout", "$ partner hello\nhello from America/Los_Angeles\n\n\n! a note\n? 7\n"],
  ["another word on stderr", "$ partner hello\nhello from America/Los_Angeles\n! a knot\n? 7\n"],
  ["another exit code", "$ partner hello\nhello from America/Los_Angeles\n! a note\n"],
])("a program that says %s fails", async (_what, transcript) => {
  expect(await check(transcript)).not.toEqual([]);
});

/** Checks a transcript against a program that greets on stdout, notes on stderr and ends with 7. */
function check(transcript: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "partner-format-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "greeter.cjs");
  const lines = [
    "console.log(process.argv[2] + ' from ' + process.env.TZ);",
    "console.error('a note');",
    "process.exitCode = 7;",
  ];
  writeFileSync(program, lines.join("\n"));
  return checkTranscript(transcript, { node: process.execPath, program });
}
