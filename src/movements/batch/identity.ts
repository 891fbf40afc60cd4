import { createHash } from "node:crypto";
import type { SheetHost } from "../../sheets/blocks.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import type { BatchForm } from "./batch-form.ts";

/** 64 bits: two files of one account don't collide by chance, and a person can read it out. */
const idChars = 16;
export const batchIdForm = /^[0-9a-f]{16}$/;
/** The beginning of an id, which is enough where no other batch has the same one. */
export const batchBeginningForm = /^[0-9a-f]{4,15}$/;

/** Hashes files while they are read, so that the checked content gets the id. */
export function digesting(host: SheetHost): SheetHost & { readonly digest: () => string } {
  const hash = createHash("sha256");
  let digest: string | undefined;
  return {
    signal: host.signal,
    files: {
      facts: (path) => host.files.facts(path),
      async *chunks(path) {
        for await (const chunk of host.files.chunks(path)) {
          hash.update(chunk);
          yield chunk;
        }
      },
    },
    digest: () => (digest ??= hash.digest("hex")),
  };
}

/**
 * A batch is what its rows order: the same file under the same account, with the same values for all rows, is the same
 * batch on every run. Each sheet of a workbook is one of its own.
 */
export function batchId(digest: string, form: BatchForm, scope: string): string {
  const { kind, constants, defaults, tagged, sheet, round } = form;
  const said = [
    scope,
    kind ?? null,
    inOrder(constants),
    inOrder(defaults),
    tagged,
    digest,
    ...(sheet ? [sheet] : []),
    ...(round ? [round] : []),
  ];
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, idChars);
}

/** The same in whatever order the flags were typed. */
function inOrder(values: ReadonlyMap<string, string>): (readonly [string, string])[] {
  return [...values].sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * The only one of these ids; undefined where there is none.
 * @throws {Failure} usage where there are several
 */
export function onlyBatch(beginning: string, ids: readonly string[]): string | undefined {
  const [id, ...others] = ids.toSorted();
  if (id === undefined || others.length === 0) return id;
  throw new Failure("usage", `${others.length + 1} batches have an id that begins with ${quote(beginning)}.`, {
    hint: `Name one by its id: ${[id, ...others].join(", ")}`,
  });
}

/** The start of a hint about a key that is neither an id nor the beginning of one; empty for any other key. */
export function idHint(key: string): string {
  const isForm = batchIdForm.test(key) || batchBeginningForm.test(key);
  return isForm ? "" : "Give the whole id, or at least 4 characters of its beginning. ";
}
