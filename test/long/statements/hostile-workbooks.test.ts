import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Prng } from "../../../src/simulator/prng.ts";
import { openDesk, payouts } from "../../commands/batch-service.ts";
import { archive, row, xlsx } from "../../sheets/xlsx-files.ts";
import { test } from "../../simulated.ts";

// Workbooks of people and attackers, by seeds: each has one fault at a random place. A batch moves nothing, a
// reconciliation writes nothing, and both name the cell or the file.

const seeds = Number(process.env["PARTNER_SEEDS"] ?? 20);
const rowsMax = 60;
const bombBytes = 300 * 1024 * 1024;

/** A place in the sheet: its columns are reference and amount, and in a book a third one, the date. */
interface Place {
  readonly line: number;
  readonly column: "A" | "B";
  readonly lines: number;
  readonly isBook: boolean;
}

/** The sheet with a fault at a place, and the message about it. */
interface Harm {
  readonly bytes: Promise<Uint8Array>;
  readonly said: RegExp;
}

type Rows = (line: number) => string;

const olds = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

function sheet(rows: Rows, { lines, isBook }: Place, after = ""): Promise<Buffer> {
  const all = Array.from({ length: lines }, (_, at) => rows(at + 2));
  const header = row(1, "reference", "amount", ...(isBook ? ["date"] : []));
  return xlsx({ sheets: { Pay: header + all.join("") }, after });
}

function sound({ isBook }: Place, ...others: readonly number[]): Rows {
  return (line) => row(line, `R-${line}`, 5, ...(isBook ? ["2026-03-30"] : []), ...others);
}

/** A row with this in place of one of its cells. */
function harmed(place: Place, cell: string): Promise<Uint8Array> {
  const cells = (line: number) => {
    const other = place.column === "A" ? `<c r="B${line}"><v>5</v></c>` : "";
    const first = place.column === "B" ? `<c r="A${line}" t="inlineStr"><is><t>R-${line}</t></is></c>` : "";
    const day = place.isBook ? `<c r="C${line}" t="inlineStr"><is><t>2026-03-30</t></is></c>` : "";
    return `<row r="${line}">${first}${cell}${other}${day}</row>`;
  };
  return sheet((line) => (line === place.line ? cells(line) : sound(place)(line)), place);
}

const harms: Readonly<Record<string, (place: Place, draw: Prng) => Harm>> = {
  "an error": (place) => ({
    bytes: harmed(place, `<c r="${place.column}${place.line}" t="e"><v>#N/A</v></c>`),
    said: new RegExp(`Pay!${place.column}${place.line}:? is an error, "#N/A"`),
  }),
  "a formula that was never worked out": (place) => ({
    bytes: harmed(place, `<c r="${place.column}${place.line}"><f>A1*2</f></c>`),
    said: new RegExp(`Pay!${place.column}${place.line}:? is a formula without a stored value`),
  }),
  "an id or amount of more digits than a number keeps": (place) => ({
    bytes: harmed(place, `<c r="${place.column}${place.line}"><v>90071992547409931</v></c>`),
    said: new RegExp(`Pay!${place.column}${place.line}:? has more digits than the 15 that a spreadsheet keeps`),
  }),
  "merged cells": (place) => ({
    bytes: sheet(
      sound(place),
      place,
      `<mergeCells><mergeCell ref="${place.column}${place.line}:${place.column}${place.line + 1}"/></mergeCells>`,
    ),
    said: new RegExp(`Pay!${place.column}${place.line}:${place.column}${place.line + 1}:? is merged`),
  }),
  "a cell under no heading": (place) => ({
    bytes: sheet((line) => sound(place, ...(line === place.line ? [7] : []))(line), place),
    said: new RegExp(`Pay!${place.isBook ? "D" : "C"}${place.line}:? has no heading`),
  }),
  "a password of Excel's": () => ({
    bytes: Promise.resolve(
      Buffer.concat([Buffer.from(olds), Buffer.alloc(600), Buffer.from("EncryptedPackage", "utf16le")]),
    ),
    said: /sheet\.xlsx cannot be read: it is encrypted\./,
  }),
  "an old form under a new name": (_, draw) => ({
    bytes: Promise.resolve(Buffer.from([...olds, ...Buffer.alloc(draw.integer(512, 9000))])),
    said: /sheet\.xlsx cannot be read: it is an old workbook of Excel \(\.xls\), whatever its name says\./,
  }),
  "another archive under its name": () => ({
    bytes: archive({ "a.txt": "a" }),
    said: /sheet\.xlsx cannot be read: it is a ZIP archive, and no workbook\./,
  }),
  "an end that is missing": (place, draw) => ({
    bytes: sheet(sound(place), place).then((bytes) => bytes.subarray(0, draw.integer(30, bytes.length - 1))),
    said: /sheet\.xlsx cannot be read: as a workbook it is damaged/,
  }),
  "a byte that was changed in its rows": (place, draw) => ({
    bytes: sheet(sound(place), place).then((bytes) => {
      const name = "xl/worksheets/sheet1.xml";
      const copy = Buffer.from(bytes);
      const at = copy.indexOf(name) + name.length + draw.integer(4, 60);
      copy[at] = (copy[at] ?? 0) ^ draw.integer(1, 255);
      return copy;
    }),
    said: /sheet\.xlsx cannot be read: as a workbook it is damaged/,
  }),
};

/** Files written by a command: all of them would have such names. */
function writtenIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith("out"));
}

test.for(Object.entries(harms).map(([name, harm]) => ({ name, harm })))(
  "a workbook with $name moves nothing, writes nothing, and is reported with the place",
  async ({ name, harm }, { simulator, partnerIn }) => {
    const desk = openDesk();
    const partner = partnerIn(desk);
    const before = simulator.world.wallet("9000112233").balance.toString();
    const out = (ending: string) => join(desk.folder, `out${ending}`);
    const file = join(desk.folder, "sheet.xlsx");
    const book = "--book-reference reference --book-amount amount --book-date date";
    const lines = [
      `batch check ${file} ${payouts} --save ${out(".json")}`,
      `batch run ${file} ${payouts} --yes --report ${out(".csv")}`,
      `reconcile --account 9000112233 --month 2026-03 --book ${file} ${book} --save ${out(".xlsx")} --carry ${out(".carry")} --exceptions ${out("-open.csv")}`,
    ];
    for (let seed = 1; seed <= seeds; seed++)
      for (const line of lines) {
        const draw = Prng.of(seed, name);
        const count = draw.integer(2, rowsMax);
        const column = draw.integer(0, 1) === 0 ? "A" : "B";
        const place: Place = { lines: count, line: draw.integer(2, count), column, isBook: line.includes("--book ") };
        const { bytes, said } = harm(place, draw);
        desk.write(await bytes, "sheet.xlsx");
        const { exit, stdout, stderr } = await partner`${line}`;
        const told = said.test(stderr.replaceAll(`${desk.folder}/`, "")) ? "what is wrong" : stderr;
        expect({ seed, place, line, exit, stdout, told }).toEqual({
          seed,
          place,
          line,
          exit: 2,
          stdout: "",
          told: "what is wrong",
        });
        expect(writtenIn(desk.folder)).toEqual([]);
      }
    expect(simulator.world.wallet("9000112233").balance.toString()).toBe(before);
  },
);

test("a workbook that would unpack to 300 MiB is refused, whichever part is so large", async ({ partnerIn }) => {
  const desk = openDesk();
  const blanks = " ".repeat(bombBytes);
  for (const path of ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/media/a.bin"]) {
    const parts = { [path]: blanks };
    const file = desk.write(await xlsx({ sheets: { Pay: row(1, "reference", "amount") }, parts }), "sheet.xlsx");
    const { exit, stdout, stderr } = await partnerIn(desk)`batch run ${file} ${payouts} --yes`;
    expect({ path, exit, stdout }).toEqual({ path, exit: 2, stdout: "" });
    expect(stderr).toContain("it would be larger than 256 MiB once unpacked.");
  }
});
