/** Characters that made some reader of some program take hours. */
const characters = Array.from(
  "\"\\ \t,;|[{(<0193aAz-_=:/.@%#?+*~'\u0000\u001b\r\n\u00a0é\u0301\ufeff\u200d\u2028\ud800中👍",
);

/** Pairs and words with the same effect. */
const words: readonly string[] = [
  [
    '""',
    '"a',
    "\\\\",
    '\\"',
    "\r\n",
    "\n\r",
    "\r\r\n",
    " \n",
    "\n ",
    "a ",
    " a",
    "a\r",
    ",,",
    '",',
    '","',
    '"\n',
    '"a"\n',
  ],
  ["[[", "[]", "[1],", "{}", "{},", '{"a":', '[{"a":', '{"a":1},', '"a":1,', '["', "null,", "1,", "0,", "00", "01"],
  ["0.", ".0", "1e", "e1", "-1", "1E5", "9,", "\\u", "\\u0000", "\\ud800", "\\u0022", "\\n", "%2", "%41", "%%"],
  ["é", "👍\u200d", "á\u0301", "\u0000a", "\u001b[", "\u001b[0m", "\u001b[1;", "=a", "a=", "&a=", "a,", "a;"],
  [
    "::",
    ":1",
    "//",
    "/a",
    "./",
    "../",
    "a.",
    ".a",
    "a@",
    "[a",
    "a]",
    " [",
    " [a",
    "] [",
    "{a",
    "{a}",
    "--",
    "-a",
    "- ",
  ],
  [
    "https://",
    "https://a",
    "postgres://",
    "-----BEGIN CERTIFICATE-----",
    "-----BEGIN CERTIFICATE-----\n",
    "=HYPERLINK(",
  ],
  [
    "SERVICE FEE FOR REF:",
    "-PAYIN",
    "REV-",
    "2026-02-01 ",
    "2026-02-01T",
    "TZS",
    "a-b_c",
    "'a'",
    "`a`",
    "$a",
    "$(",
    "${",
  ],
].flat();

/** The parts of a hostile text, repeated again and again. */
export const runs: readonly string[] = [...new Set([...characters, ...words])];

/** So many characters of it, cut at any place. */
export function runOf(pattern: string, chars: number): string {
  return pattern.repeat(Math.ceil(chars / pattern.length)).slice(0, chars);
}

/** Ordinary input: prose, rows, members, numbers, one long word. */
export const ordinaryRuns: readonly string[] = [
  "Rent of October for the shop in Kariakoo. ",
  "R-1,9000112244,25000.00,rent\n",
  '{"reference":"R-1","amount":25000.00},',
  '["a",1],',
  "25000.00 ",
  "abcdefghijklmnop",
];

const mixesCount = 60;

/** Several of the runs one after the other, in a random order that is the same every time. */
export const mixes: readonly string[] = Array.from({ length: mixesCount }, (_, index) => {
  let seed = index + 1;
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  return Array.from({ length: 2 + draw(3) }, () => runs[draw(runs.length)] ?? "").join("");
});
