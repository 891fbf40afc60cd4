import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import type { SheetHost } from "../../../sheets/blocks.ts";
import { openSheet } from "../../../sheets/sheet.ts";
import { counted } from "../../../values/text/counted.ts";
import { quotedMark } from "../../../values/book-writing.ts";
import type { FailureDetails } from "../../../values/failure.ts";
import { Failure } from "../../../values/failure.ts";
import { visible } from "../../../values/text/text.ts";
import type { ComparedSource } from "../source.ts";
import type { BookForm } from "./book-columns.ts";
import { adviceOn, columnsAdvice, refuseSharedColumn, roles } from "./book-columns.ts";
import type { BookCurrencies } from "./book-currencies.ts";
import type { BookSink } from "./book-reader.ts";
import { BookReader } from "./book-reader.ts";
import type { BookSetting } from "./book-form.ts";

/** A book that was read, with notes about detected formats. */
export interface ReadBook {
  readonly source: ComparedSource;
  readonly notes: readonly string[];
  readonly currencies: BookCurrencies;
}

/**
 * Reads the rows of a CSV file or of a workbook's sheet into a book.
 * @throws {Failure} usage: a file that cannot be read, a header without those columns, every cell that cannot be used,
 * a total below the rows that is not their sum
 */
export async function readBookFile(host: SheetHost, path: string, form: BookForm, book: BookSink): Promise<ReadBook> {
  refuseSharedColumn(form);
  const named = [form.narration ?? [], form.counterparty ?? []].flat();
  const required = [...roles.flatMap((role) => form[role] ?? []), ...named];
  const digest = createHash("sha256");
  const watched = { ...host, files: hashing(host.files, digest) };
  const { sheet: name } = form;
  const options = { required, titled: true, ragged: "keep", sheet: name, advice: columnsAdvice } as const;
  const sheet = await openSheet(watched, path, options);
  const reader = new BookReader(sheet, form, book);
  for await (const rows of sheet.rows) for (const row of rows) reader.take(row);
  reader.end();
  if (reader.faultsCount > 0) throw wrongCells(path, reader, form);
  const source = { source: "book", name: path, rows: reader.count, sha256: digest.digest("hex") } as const;
  return { source, notes: notesOf(reader), currencies: reader.currencies };
}

/** Notes about formats that were detected, not set. */
function notesOf({ recognisedDays, thousands, totalLine }: BookReader): string[] {
  const mark = thousands.recognised;
  return [
    ...(recognisedDays === undefined ? [] : [`Days of the book are read as ${recognisedDays}.`]),
    ...(mark === undefined ? [] : [`Thousands of the book are read as separated by ${quotedMark(mark)}.`]),
    ...(totalLine === undefined
      ? []
      : [`Line ${totalLine} of the book is the total of its rows, and isn't counted as one.`]),
  ];
}

/** The same files; each byte that is read goes into the hash. */
function hashing(files: SheetHost["files"], digest: Hash): SheetHost["files"] {
  return {
    facts: (path) => files.facts(path),
    async *chunks(path) {
      for await (const chunk of files.chunks(path)) {
        digest.update(chunk);
        yield chunk;
      }
    },
  };
}

/** A book with cells that cannot be used. */
export class UnusableCells extends Failure {
  /** The settings with which the first cell of each kind could be read; where there are two, either would do. */
  readonly settings: readonly (readonly BookSetting[])[];

  constructor(message: string, settings: readonly (readonly BookSetting[])[], details: FailureDetails) {
    super("usage", message, details);
    this.settings = settings;
  }
}

function wrongCells(path: string, reader: BookReader, form: BookForm): UnusableCells {
  const { faults, faultsCount, faulty, settings } = reader;
  const more = faultsCount > faults.length ? ` The first ${faults.length} are:` : "";
  const advice = [...new Set(roles.filter((role) => faulty.has(role)).map((role) => adviceOn(role, form)))];
  const correct =
    advice.length === 0 ? "Correct them in the file." : "If the flags are right, correct the cells in the file.";
  const message = `${visible(path)} has ${counted(faultsCount, "cell")} that cannot be used.${more}`;
  return new UnusableCells(message, [...settings.values()], {
    hint: [...advice, correct].join(" "),
    details: Object.fromEntries(faults),
  });
}
