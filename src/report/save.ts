import { extname } from "node:path";
import type { FileFacts, Files } from "../host/files/files.ts";
import { Failure } from "../values/failure.ts";
import { closest } from "../values/text/closest.ts";
import { quote, visible } from "../values/text/text.ts";
import type { Format } from "./options.ts";
import { explainSave, explained } from "./write-failures.ts";

/** The formats implied by file name endings. */
export const formatEndings: Readonly<Record<string, Format>> = {
  ".csv": "csv",
  ".json": "json",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
  ".txt": "table",
};

/**
 * The format that the ending of `--save FILE` implies, without `--output`. Statements add endings of their own.
 * @throws {Failure} usage
 */
export function formatOfEnding<F extends string>(path: string, endings: Readonly<Record<string, F>>): F {
  const ending = extname(path).toLowerCase();
  const format = Object.hasOwn(endings, ending) ? endings[ending] : undefined;
  if (format !== undefined) return format;
  throw new Failure("usage", `The ending of --save ${quote(path)} does not say in which format to write.`, {
    hint: `${nearEnding(path, endings)}Add --output, for example --output csv, or end the name in one of ${Object.keys(endings).join(" ")}.`,
  });
}

/** A question about the ending that was probably meant; empty without a similar one. */
function nearEnding(path: string, endings: Readonly<Record<string, string>>): string {
  const typed = extname(path);
  const near = typed === "" ? undefined : closest(typed.toLowerCase(), Object.keys(endings));
  return near === undefined ? "" : `Did you mean ${visible(path.slice(0, -typed.length) + near)}? `;
}

/**
 * Checks before any work whether a file can be created at this path, by creating one beside it and removing it. Links,
 * pipes and devices are not touched: opening and closing a pipe would end it for its reader.
 * @throws {Failure} usage | unavailable
 */
export async function checkSave(path: string, files: Files): Promise<void> {
  const explain = explainSave(path);
  const facts = await explained(() => files.facts(path), explain);
  if (mayBePipe(facts)) return;
  await explained(async () => {
    const draft = await files.draft(path, "kept");
    await draft.abandon();
  }, explain);
}

/** True for a pipe, a device, or a link, which may lead to one. */
export function mayBePipe(facts: FileFacts | undefined): boolean {
  return facts?.kind === "link" || facts?.kind === "other";
}

/**
 * Writes a small file in addition to the result, all or nothing.
 * @param flag the flag that named the file
 * @throws {Failure} usage | unavailable
 */
export async function saveText(path: string, text: string, files: Files, flag: string): Promise<void> {
  await explained(
    async () => {
      const draft = await files.draft(path, "kept");
      try {
        await draft.write(text);
        await draft.commit();
      } finally {
        await draft.abandon();
      }
    },
    explainSave(path, flag),
  );
}
